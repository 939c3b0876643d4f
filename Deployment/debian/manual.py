#!/usr/bin/env python3
"""Writes the manual page from what the program says of its commands: tintype --experimental-dump-help | manual.py DATE

The format is that of man(7).
"""

import datetime
import json
import sys


def text(words):
    """Words that man(7) shows as they are."""
    words = words.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in words.splitlines())


def is_own(argument, shared):
    """Whether an argument is shown with its command: not if all commands have it, or if it is about help."""
    return argument["shouldDisplay"] and name(argument) not in shared and name(argument) not in ("--help", "--version")


def name(argument):
    """How an argument is written: `--data`, or the name of its value."""
    preferred = argument.get("preferredName")
    return f"--{preferred['name']}" if preferred else argument["valueName"].upper()


def entry(argument):
    """The entry of an argument in a list."""
    value = f" \\fI{text(argument['valueName'])}\\fR" if argument["kind"] == "option" else ""
    return f".TP\n\\fB{text(name(argument))}\\fR{value}\n{text(argument.get('abstract', ''))}\n"


def commands(command, before, shared):
    """The entries of a command's subcommands, each with the words before it."""
    for sub in command.get("subcommands", []):
        if sub["commandName"] == "help":
            continue
        words = f"{before} {sub['commandName']}"
        if sub.get("subcommands"):
            yield from commands(sub, words, shared)
            continue
        own = [argument for argument in sub["arguments"] if is_own(argument, shared)]
        places = " ".join(f"\\fI{text(name(argument))}\\fR" for argument in own if argument["kind"] == "positional")
        yield f".SS {text(words)} {places}\n{text(sub.get('abstract', ''))}\n"
        if discussion := sub.get("discussion"):
            yield f".PP\n{text(discussion)}\n"
        yield from map(entry, own)


def main():
    date = datetime.datetime.fromtimestamp(int(sys.argv[1]), datetime.UTC).date()
    program = json.load(sys.stdin)["command"]
    serve = next(command for command in program["subcommands"] if command["commandName"] == "serve")
    settings = [argument for argument in serve["arguments"] if is_own(argument, set())]
    page = [
        f'.TH TINTYPE 1 "{date}" "Tintype" "Tintype"\n',
        f".SH NAME\ntintype \\- {text(program['abstract'].rstrip('.').lower())}\n",
        ".SH SYNOPSIS\n.B tintype\n.I command\n.RI [ settings ]\n",
        f".SH DESCRIPTION\n{text(program.get('discussion', ''))}\n",
        ".PP\nThe service of the Debian package serves the folder /var/lib/tintype as the user tintype; other commands are\n"
        "run as this user, too: sudo \\-u tintype tintype check.\n",
        ".SH COMMANDS\n",
        *commands(program, "tintype", {name(argument) for argument in settings}),
        ".SH SETTINGS\n",
        *map(entry, settings),
        ".SH FILES\n",
        ".TP\n.I /etc/tintype/tintype.json\nThe settings of the Debian package.\n",
        ".TP\n.I /etc/tintype/secrets.env\nVariables for the service that are secret, such as PGPASSWORD.\n",
        ".TP\n.I /var/lib/tintype\nThe data folder of the Debian package.\n",
        ".SH EXIT STATUS\n0 after success, 1 if the command failed, 64 if it was called wrongly.\n",
        ".SH SEE ALSO\nThe operator's book is in /usr/share/doc/tintype.\n",
    ]
    sys.stdout.write("".join(page))


if __name__ == "__main__":
    main()

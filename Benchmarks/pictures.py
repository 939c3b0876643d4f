"""What the benchmarks of pictures share: photos to work on, other programs, rounds that take turns, and the table."""
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WALLPAPERS = Path("/usr/share/backgrounds")


def ours(mode, variable):
    """Our client's command for a mode, which an environment variable may replace."""
    built = os.environ.get("TINTYPE_BUILD", Path.home() / ".cache/tintype/build/release")
    return shlex.split(os.environ.get(variable, f"{built}/benchmark {mode}"))


def imagemagick_command():
    return shutil.which("convert-im6.q16") or shutil.which("convert")


def python_with(module, package):
    """A Python with a package of PyPI, which is installed into ~/.cache when this one lacks it."""
    if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0:
        return sys.executable
    folder = Path.home() / ".cache/tintype" / package
    python = folder / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", package], check=True)
    return str(python)


def picture_of_12_megapixels(wallpaper, path):
    subprocess.run([imagemagick_command(), WALLPAPERS / wallpaper, "-resize", "4032x3024^", "-gravity", "center",
                    "-extent", "4032x3024", "-interlace", "none", "-sampling-factor", "4:2:0", "-quality", "92", path],
                   check=True)
    return str(path)


def check_sides(path, expected):
    sides = [int(subprocess.run(["vipsheader", "-f", field, path], capture_output=True, check=True).stdout)
             for field in ("width", "height")]
    if tuple(sides) != tuple(expected):
        sys.exit(f"{path}: {sides} instead of {expected}")


def measure(commands):
    """Wall seconds, CPU seconds, and peak memory of the largest process in MB."""
    wall, cpu, peak = time.monotonic(), 0.0, 0
    for command in commands:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"failed: {shlex.join(map(str, command))}")
        cpu += usage.ru_utime + usage.ru_stime
        peak = max(peak, usage.ru_maxrss / 1000)
    return time.monotonic() - wall, cpu, peak


def compete(contestants, rounds, check, aims):
    """Runs all contestants in turns, and prints a table of the medians.

    A contestant is a function that returns commands for a folder; `check` returns the bytes of the files there. The
    first contestant is Tintype.
    """
    os.environ["MAGICK_THREAD_LIMIT"] = "1"  # a second thread costs ImageMagick CPU time and gains nothing here
    results = {name: [] for name in contestants}
    sizes = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds + 1):
            for index, (name, commands) in enumerate(contestants.items()):
                target = Path(folder) / str(index)
                target.mkdir(exist_ok=True)
                result = measure(commands(str(target)))
                if number == 0:
                    sizes[name] = check(target)  # and the first round warms caches
                else:
                    results[name].append(result)

    print("| | wall ms | CPU ms | peak MB | files kB | Tintype's CPU | aim |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    first = next(iter(results.values()))
    for name, rows in results.items():
        wall, cpu, peak = (statistics.median(column) for column in zip(*rows, strict=True))
        # Within a round, so that a busy minute doesn't count for one side alone.
        ratio = statistics.median(ours[1] / other[1] for ours, other in zip(first, rows, strict=True))
        print(f"| {name} | {wall * 1000:.0f} | {cpu * 1000:.0f} | {peak:.0f} | {sizes[name] / 1000:.0f} "
              f"| {ratio:.2f} × | {aims.get(name, '')} |")

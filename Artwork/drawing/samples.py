"""The predefined snap pictures: four each of dogs, memes and other, 1080 by 1440."""

from drawing import dogs, memes, others

KINDS = (dogs, memes, others)


def drawings():
    """Each picture under its file's name."""
    return {name: canvas for kind in KINDS for name, canvas in kind.drawings().items()}


DESCRIPTIONS = {name: text for kind in KINDS for name, text in kind.DESCRIPTIONS.items()}

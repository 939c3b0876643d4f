"""The ten scenes that posts show where no photographs are installed."""

from drawing import bicycle, home, nature, town

PLACES = (nature, town, bicycle, home)


def drawings():
    """Each scene under its file's name."""
    return {name: canvas for place in PLACES for name, canvas in place.drawings().items()}


DESCRIPTIONS = {name: text for place in PLACES for name, text in place.DESCRIPTIONS.items()}

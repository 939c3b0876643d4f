"""The scenes that posts show where no photographs are installed, and the pairs of then and now."""

from drawing import bicycle, glacier, harbour, home, market, nature, town

PLACES = (nature, town, bicycle, home, market, harbour, glacier)


def drawings():
    """Each scene under its file's name."""
    return {name: canvas for place in PLACES for name, canvas in place.drawings().items()}


DESCRIPTIONS = {name: text for place in PLACES for name, text in place.DESCRIPTIONS.items()}

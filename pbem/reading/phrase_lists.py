"""Phrase lists by language, kept as text files in the ``data`` folder of the package that uses them."""

from importlib.resources import files


def load_phrases(package: str, name: str) -> frozenset[str]:
    """Return the phrases of a list in all languages; ``package`` is the importing module's ``__package__``.

    A file holds phrases parted by ``|`` or line breaks, below the name of their language; ``#`` begins a comment.
    """
    lines = files(package).joinpath("data", f"{name}.txt").read_text("utf-8").splitlines()
    listed = (line.split("|") for line in lines if line and not line.startswith(("#", "[")))
    return frozenset(" ".join(phrase.split()) for phrases in listed for phrase in phrases if phrase.strip())

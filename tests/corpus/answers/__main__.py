"""Prints how the answers of a file are read: ``python -m tests.corpus.answers FILE``."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.corpus.answers.measure import measure, report
from tests.support.club import write_blank_database


def main() -> None:
    """Measure the answers of one or several files, and print a report for each."""
    for name in sys.argv[1:]:
        with TemporaryDirectory() as directory:
            blank = write_blank_database(Path(directory) / "blank.db")
            print(report(measure(Path(name), Path(directory), blank)))


if __name__ == "__main__":
    main()

"""Spoils messages of the corpus for as long as it is told, and keeps those that come to a wrong end.

``python -m tests.fuzz --minutes 10`` prints what it found, and ends with 1 if that is anything.
"""

import argparse
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.corpus.__main__ import prepare
from tests.corpus.templates import all_cases
from tests.fuzz.judging import Judge, silent
from tests.fuzz.mutations import mutated


def main() -> int:
    """Spoil messages, and return 1 if one of them came to a wrong end."""
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Spoils letters of the corpus.")
    asked.add_argument("--minutes", type=float, default=10.0, help="how long")
    asked.add_argument("--seed", type=int, default=1, help="the same number spoils the same letters the same way")
    asked.add_argument("--keep", type=Path, help="a directory for the letters that come to a wrong end")
    given = asked.parse_args()
    keep = given.keep or Path(tempfile.mkdtemp(prefix="fuzz-"))
    keep.mkdir(parents=True, exist_ok=True)
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as name:
        found, tried = spoil(Path(name), given.minutes * 60, given.seed, keep)
    print(f"{tried} letters tried, {sum(found.values())} came to a wrong end.")
    for finding, count in found.most_common():
        print(f"{count:6}  {finding}")
    if found:
        print(f"They are kept in {keep}.")
    return 1 if found else 0


def spoil(directory: Path, seconds: float, seed: int, keep: Path) -> tuple[Counter[str], int]:
    """Spoil messages for some seconds; returns what was found, each with how often, and how many were tried."""
    tables = prepare(directory)
    cases = all_cases(tables)
    others = [one.raw for one in cases]
    judge = Judge(directory, tables)
    chance = random.Random(seed)
    found: Counter[str] = Counter()
    tried = 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        one = chance.choice(cases)
        raw, foreign = mutated(one.raw, chance, others)
        for finding in judge.findings(raw, silent=silent(one) and not foreign):
            found[finding[:100]] += 1
            (keep / f"{tried:07}-{one.name}.eml").write_bytes(raw)
        tried += 1
    judge.close()
    return found, tried


if __name__ == "__main__":
    sys.exit(main())

"""Reads the time zone that a player names: by its IANA name, a city, or a country with one zone. Pure."""

import re
from collections import defaultdict
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from zoneinfo import available_timezones

from pbem.reading.reason import Misread, misread
from pbem.reading.when.days import fold_accents, word_set
from pbem.reading.word_classes import load_list
from rules.phrase import listed

_LONGEST = 60  # characters: no zone has so long a name
_MOST_SUGGESTED = 3
_OFFSET = re.compile(r"(?:(?:utc|gmt|etc/gmt|etc/utc)\s?)?[+\-–−]\s?[0-9]{1,2}(?:[:.]?[0-9]{2})?(?:\s?h(?:ours?)?)?")
_REGIONS = word_set("africa america antarctica arctic asia atlantic australia europe indian pacific")
"""Where names of zones say a place; ``US/Pacific`` and ``Etc/GMT+5`` do not."""


def read_zone(text: str) -> str | Misread:
    """Return the IANA name of the zone that ``text`` means; ``lisbon``, ``america/new york`` and ``germany`` will do.

    Abbreviations and offsets say nothing of summer time, so their Misread asks for a city.
    """
    quoted = " ".join(text[: 2 * _LONGEST].split())[:_LONGEST]
    bare = fold_accents(quoted).strip(" *_\"'“”.,!:=()")
    words = " ".join(bare.replace("_", " ").split()).removesuffix(" please").removesuffix(" time zone").rstrip(" ,")
    if not words:
        return misread("zone_missing")
    if len(text) > 2 * _LONGEST:
        return misread("zone_unread", text=quoted)
    if (meant := _places().get(words)) is not None:
        return meant[0] if len(meant) == 1 else misread("zone_several", text=quoted, zones=listed(meant, "or"))
    if (meant := _abbreviations().get(words)) is not None:
        return misread("zone_abbreviated", text=quoted, zones=listed(meant, "or"))
    if _OFFSET.fullmatch(words):
        return misread("zone_offset", text=quoted)
    names, cities = _names(), _cities()
    name = names.get(re.sub(r"\s?/\s?", "/", words)) or cities.get(words)
    if name is None and "," in words:
        name = _city_of_country(*words.split(",", 1))
    if name is not None:
        return name
    near = dict.fromkeys(_suggested(words))
    if near:
        return misread("zone_near", text=quoted, zones=listed(list(near)[:_MOST_SUGGESTED], "or"))
    return misread("zone_unread", text=quoted)


def load_zones(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the zones of each phrase in a list of ``data`` whose headings are zones."""
    lists = ((tuple(map(str.strip, zones.split("|"))), phrases) for zones, phrases in load_list(name).items())
    return {phrase: zones for zones, phrases in lists for phrase in phrases}


def _city_of_country(city: str, country: str) -> str | None:
    """Return the zone of ``Lisbon, Portugal``; None unless the city is known to lie in what stands behind it."""
    name = _cities().get(city.strip()) or "".join(_places().get(city.strip(), ())[:1])
    country = country.strip()
    return name if name in (*_places().get(country, ()), *_zones_of_countries().get(country, ())) else None


def _suggested(words: str) -> list[str]:
    """Return the zones whose name, city or country is nearly what was written."""
    city = words.rpartition("/")[2].partition(",")[0].strip()
    known = {**{place: zones[0] for place, zones in _places().items()}, **_cities()}
    return [known[near] for near in get_close_matches(city, known, 2 * _MOST_SUGGESTED, 0.72)]


@cache
def _names() -> Mapping[str, str]:
    """Return the names of all zones of a place by the same in small letters with spaces."""
    return {
        name.lower().replace("_", " "): name
        for name in available_timezones()  # reads some twenty folders: 12 ms
        if "/" in name and not name.startswith(("Etc/", "SystemV/"))
    }


@cache
def _cities() -> Mapping[str, str]:
    """Return the zones by the city alone; of two names of one zone the shorter, or the first in the alphabet."""
    found: dict[str, list[str]] = defaultdict(list)
    for folded, name in _names().items():
        region, *_, city = folded.split("/")
        if region in _REGIONS:
            found[city].append(name)
    return {city: min(names, key=lambda name: (name.count("/"), name)) for city, names in found.items()}


@cache
def _places() -> Mapping[str, tuple[str, ...]]:
    """Return the zones of countries, regions and cities without a zone of their own name."""
    return load_zones("places")


@cache
def _zones_of_countries() -> Mapping[str, list[str]]:
    """Return the zones of each country by its name and by its code (ISO 3166), folded."""
    tables = files("tzdata").joinpath("zoneinfo")
    countries = _read_table(tables.joinpath("iso3166.tab").read_text("utf-8"))
    found: dict[str, list[str]] = {code: [] for code, _ in countries}
    for code, _, zone, *_ in _read_table(tables.joinpath("zone.tab").read_text("utf-8")):
        found[code].append(zone)
    return {fold_accents(word): found[code] for code, name in countries for word in (code, name)}


def _read_table(text: str) -> list[list[str]]:
    """Return the fields of a table of the time zone database."""
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


@cache
def _abbreviations() -> Mapping[str, tuple[str, ...]]:
    """Return the zones that an abbreviation may mean."""
    return load_zones("abbreviations")

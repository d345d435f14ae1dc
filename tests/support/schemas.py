"""The schemas of what programs read of an archive, as docs/formats.schema.json has them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import fastjsonschema

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs" / "formats.schema.json").read_text("utf-8"))


@cache
def validator(kind: str) -> Any:
    """Return what raises an exception for data that does not fit a definition of the schema."""
    return fastjsonschema.compile({**SCHEMA, "$ref": f"#/definitions/{kind}"})

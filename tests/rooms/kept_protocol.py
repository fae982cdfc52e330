"""The shape of the protocol as it was last fixed under its number: `protocol.json` beside this file.

After a change of the wire raise PROTOCOL, in the client too, then run `python -m tests.rooms.kept_protocol`.
"""

import json
from pathlib import Path
from typing import Any

from app.rooms.description import protocol_schema
from app.rooms.messages import PROTOCOL

KEPT = Path(__file__).with_name("protocol.json")
_SAID = ("title", "description", "examples", "$schema")
"""What may change under the same number: words about the shape."""


def shape() -> dict[str, Any]:
    """The protocol's number, and its schema without the words about it."""
    bare = {name: _bare(part) for name, part in protocol_schema().items() if name not in _SAID}
    return {"protocol": PROTOCOL, "schema": bare}


def kept() -> dict[str, Any]:
    """The shape that is kept."""
    found: dict[str, Any] = json.loads(KEPT.read_text())
    return found


def _bare(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_bare(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    # A field may be called `title`: its schema is an object, where the word is a text.
    return {name: _bare(part) for name, part in schema.items() if name not in _SAID or isinstance(part, dict)}


def main() -> None:
    """Keep the present shape; refused where the number has not been raised."""
    if KEPT.exists() and kept()["protocol"] >= PROTOCOL:
        raise SystemExit(f"The protocol still has the number {PROTOCOL}: raise PROTOCOL first.")
    KEPT.write_text(json.dumps(shape(), indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()

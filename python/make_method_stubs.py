"""Writes methods.pyi, the classes of actio.methods for editors and type checkers, beside the module in the folder given."""

import json
import sys
from pathlib import Path


def main(folder: str) -> None:
    sys.path.insert(0, folder)
    import _core

    lines = ["from collections.abc import Mapping", "from typing import Any, Literal", "", "class Method:", "    name: str",
             "    order: int", "    fields: dict[str, Any]", "    compose: Mapping[str, Any] | None",
             "    def to_table(self) -> dict[str, Any]: ...", "", "def class_name(name: str) -> str: ..."]
    for method in json.loads(_core.catalogue()):
        words = []
        for field in method["fields"]:
            default = field["default"]
            kind = type(default).__name__
            if "choices" in field:
                kind = f"Literal[{', '.join(json.dumps(word) for word in field['choices'])}]"
            words.append(f"{field['name']}: {kind} = {default!r}")
        if method["composes"]:
            words.append("compose: Mapping[str, Any] | None = None")
        name = "".join(part.capitalize() for part in method["name"].split("-"))
        arguments = ", ".join(["self", "*", *words]) if words else "self"
        lines += ["", f"class {name}(Method):", f"    def __init__({arguments}) -> None: ..."]
    Path(folder, "methods.pyi").write_text("\n".join(lines) + "\n")


main(sys.argv[1])

#!/usr/bin/env python3
"""Checks that includes go one way through the layers, and that a header's namespace is its folder.

  core -> {algebra, expr} -> {solve, system} -> discrete -> method -> invariant -> run -> io -> session -> {c, cli, python}

A file may include its own layer and those before it; layers in one pair of braces may not include each other.
petsc stands apart: it may use the layers up to method, and none of them may use it;
its program, petsc/cli, may use all.
"""
import re
import sys
from pathlib import Path

ORDER = [["core"], ["algebra", "expr"], ["solve", "system"], ["discrete"], ["method"], ["invariant"], ["run"], ["io"],
         ["session"], ["c", "cli", "python"]]
RANK = {layer: rank for rank, layers in enumerate(ORDER) for layer in layers}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
SUFFIXES = {".hpp", ".h", ".cpp", ".cc"}


def layer_of(path):
    """The layer of a file given relative to the root, or None."""
    parts = Path(path).parts
    if parts[:3] == ("petsc", "include", "actio") and len(parts) > 4:
        return parts[3]
    if parts[:2] == ("include", "actio") and len(parts) > 3:
        return parts[2]
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("petsc", "cli"):
        return "petsc/cli"
    return parts[0] if parts[0] in ("cli", "python", "petsc") else None


def allowed(user, used):
    if user in (used, "petsc/cli"):
        return True
    if user == "petsc":
        return RANK[used] <= RANK["method"]
    return not used.startswith("petsc") and RANK[used] < RANK[user]


def check_file(root, path):
    """Yields a message for every include that is not allowed."""
    relative = path.relative_to(root)
    user = layer_of(relative)
    if user is None:
        yield f"{relative}:1: belongs to no layer"
        return
    if user not in RANK and user not in ("petsc", "petsc/cli"):
        yield f"{relative}:1: unknown layer '{user}'"
        return
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        quoted, name = match.group(1) == '"', match.group(2)
        if quoted and (path.parent / name).is_file():
            target = (path.parent / name).resolve().relative_to(root)
        elif name.startswith("actio/"):
            target = Path("petsc/include" if name.startswith("actio/petsc/") else "include") / name
            if not (root / target).is_file():
                yield f"{relative}:{line}: <{name}> does not exist"
                continue
        else:
            continue
        used = layer_of(target)
        if used not in RANK and used not in ("petsc", "petsc/cli"):
            yield f"{relative}:{line}: {target} belongs to no layer"
        elif not allowed(user, used):
            yield f"{relative}:{line}: {user} may not include {used} ({name})"
    if "include" in relative.parts and path.suffix == ".hpp":
        if not re.search(rf"^namespace actio::{user}\b", text, re.MULTILINE):
            yield f"{relative}:1: namespace actio::{user} expected, as the folder"


def main(root):
    files = sorted(p for folder in ("include/actio", "src", "cli", "python", "petsc") if (root / folder).is_dir()
                   for p in (root / folder).rglob("*") if p.suffix in SUFFIXES)
    messages = [m for path in files for m in check_file(root, path)]
    print("\n".join(messages) or f"{len(files)} files keep the order of the layers")
    return 1 if messages or not files else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))

"""The program: ``actio run FILE``, and what it has beyond the C++ program, ``actio plot`` and ``actio report``."""

from __future__ import annotations

import sys


def main() -> int:
    """Runs the command line. Gives the exit code."""
    words = sys.argv[1:]
    if words[:1] == ["plot"]:
        from .cli import plot

        return plot(words[1:])
    if words[:1] == ["report"]:
        from .cli import report

        return report(words[1:])
    if words[:1] == ["sweep"] and any(word == "--plot" or word.startswith("--plot=") for word in words):
        from .cli import sweep

        return sweep(words[1:])
    from . import _core

    return int(_core.command_line(["actio", *words]))


if __name__ == "__main__":
    sys.exit(main())

"""What goes wrong, as exceptions."""

from __future__ import annotations

import os
import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .trajectory import Trajectory


class ActioError(Exception):
    """Any error of this package. ``str(error)`` is what the program prints; the parts are attributes."""

    message: str = ""  # what happened
    hint: str = ""  # what to try; "": nothing is known
    file: str | None = None
    line: int | None = None  # from 1
    column: int | None = None


class InputError(ActioError, ValueError):
    """Wrong input: a problem file, a keyword or a value. With ``file``, ``line`` and ``column`` where that is known."""


class RunError(ActioError, RuntimeError):
    """The run did not reach its end."""

    step: int | None = None  # steps completed
    t: float | None = None
    trajectory: Trajectory | None = None  # what was observed until then, with its certificate


class CertificateWarning(UserWarning):
    """A run reached its end, and something it claims does not hold. ``certificate.broken`` names it."""


_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def warn(words: str) -> None:
    """A CertificateWarning at the line outside of this package that asked for the run."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and os.path.abspath(frame.f_code.co_filename).startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(words, CertificateWarning, stacklevel=level)

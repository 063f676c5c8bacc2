import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def examples() -> pathlib.Path:
    return ROOT / "examples"


@pytest.fixture(scope="session")
def program() -> str:
    """The program of the build, to compare with."""
    found = os.environ.get("ACTIO_PROGRAM", str(ROOT / "build/release/actio"))
    if not os.path.exists(found):
        pytest.skip("no program to compare with: set ACTIO_PROGRAM")
    return found

"""The code of docs/python.md and README.md runs as it stands."""

import pathlib
import re

import pytest

pytest.importorskip("matplotlib").use("agg")
ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_code_runs(page, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert blocks
    names: dict = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    if page == "README.md":
        assert "(1001,) kept" in capsys.readouterr().out

"""What the scripts of docs/pictures share: a figure in the style of the package, and a small SVG beside the script."""

import re
from contextlib import contextmanager
from pathlib import Path

import matplotlib
from actio.plotting import BLUE, GREEN, GREY, RED, STYLE

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

COLOURS = [BLUE, RED, GREEN, "#8a5a00", "#6b3fa0", "#00788c"]
__all__ = ["BLUE", "COLOURS", "GREEN", "GREY", "RED", "drawn"]


@contextmanager
def drawn(name, *shape, size=(7.4, 2.9), **words):
    """The figure and its axes; at the end NAME.svg is written, without a date, so that the same picture is the same file."""
    style = {**STYLE, "svg.fonttype": "path", "axes.prop_cycle": plt.cycler(color=COLOURS), "path.simplify_threshold": 0.5}
    with plt.rc_context(style):
        figure, axes = plt.subplots(*shape, figsize=size, layout="constrained", **words)
        yield axes
        file = Path(__file__).with_name(f"{name}.svg")
        figure.savefig(file, metadata={"Date": None})
        plt.close(figure)
        text = file.read_text(encoding="utf-8")  # two decimals of a path are enough
        file.write_text(re.sub(r' d="[^"]*"', lambda path: re.sub(r"(\.\d\d)\d+", r"\1", path.group(0)), text), encoding="utf-8")
        print(f"{file.name}: {file.stat().st_size/1000:.0f} kB")

#!/usr/bin/env python3
"""Run times of TO 4.5 at h = 0.1: times.py ACTIO writes times.json, which the page shows. Runs go round in turn, several times,
and the shortest of each counts: ratios within one run of this program."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Failed  # noqa: E402
from magnet import PROBLEM, ROWS  # noqa: E402
from timing import fastest, machine, seldom  # noqa: E402

FOLDER, END = Path(__file__).resolve().parent, 1000

if __name__ == "__main__":
    table = {name: (PROBLEM, seldom((*overrides, f"run.end={END}"))) for name, (overrides, *_) in ROWS.items()}
    try:
        runs = fastest(Path(sys.argv[1]).resolve(), FOLDER, table)
    except Failed as failure:
        sys.exit(str(failure))
    (FOLDER / "times.json").write_text(json.dumps({"machine": machine(), "runs": runs}, indent=1) + "\n", encoding="utf-8")

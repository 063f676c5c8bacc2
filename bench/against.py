#!/usr/bin/env python3
"""Benchmarks of this checkout beside those of another commit, in turn: the least of several runs of each line, and the ratio.

  bench/against.py COMMIT [NAME ...]      NAME: oscillator, linearly-implicit, constrained, links, dna, solid (all of these)

The commit is built in build/against, beside build/bench of this checkout; both take as long as bench/run does to build.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 3
TO_NS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


def build(source, folder, names):
    for words in (["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DACTIO_NATIVE=ON", "-DACTIO_BENCH=ON",
                   "-DACTIO_TESTS=OFF"],
                  ["cmake", "--build", folder, "--parallel", str(os.cpu_count()), "--target", *(f"bench_{n}" for n in names)]):
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, words))} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def times(text):
    """{(heading, line, which of several): ns}"""
    out, heading, number = {}, "", {}
    for line in text.splitlines():
        if line and not line.startswith(" ") and not re.search(r"\d\s+\d", line):
            heading = re.split(r", h = |, [\d.]+ Newton", line)[0].strip()
        time = re.search(r"\s([\d.]+) (ns|us|ms|s)(?= |$)", line)
        columns = re.match(r"(\S.*?)\s{2,}[\d.]+\s+([\d.]+)\s+\d+\s", line)  # linearly-implicit: h, then ns a step
        if columns:
            name, ns = columns[1], float(columns[2])
        elif time:
            name, ns = line[:time.start()].strip(), float(time[1]) * TO_NS[time[2]]
        else:
            continue
        k = number[heading, name] = number.get((heading, name), 0) + 1
        out[heading, name, k] = ns
    return out


def main():
    commit = subprocess.run(["git", "rev-parse", "--short", sys.argv[1]], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    names = sys.argv[2:] or ["oscillator", "linearly-implicit", "constrained", "links", "dna", "solid"]
    before = ROOT / "build" / "against" / commit
    if not before.exists():
        subprocess.run(["git", "worktree", "add", "--detach", str(before), commit], cwd=ROOT, check=True, capture_output=True)
    sides = {"before": (before, before / "build" / "bench"), "now": (ROOT, ROOT / "build" / "bench")}
    for source, folder in sides.values():
        build(source, folder, names)
    worst = 0.0
    for name in names:
        least = {side: {} for side in sides}
        for _ in range(ROUNDS):
            for side, (source, folder) in sides.items():
                environment = {**os.environ, "ACTIO_CACHE": str(folder / "kernels")}
                text = subprocess.run([str(folder / "bench" / f"bench_{name}")], cwd=source, env=environment, capture_output=True, text=True,
                                      check=True).stdout
                found = times(text)
                if not found:
                    sys.exit(f"no times in what bench_{name} of {source} prints")
                for key, ns in found.items():
                    least[side][key] = min(ns, least[side].get(key, ns))
        print(f"\n{name}: {commit}, now [ns], ratio")
        for key in least["before"]:
            if key not in least["now"]:
                continue
            ratio = least["now"][key] / least["before"][key]
            if "Actio" in key[1] or name not in ("oscillator", "linearly-implicit"):
                worst = max(worst, ratio)
            print(f"  {key[0][:40]:40s} {key[1][:52]:52s} {least['before'][key]:14.2f} {least['now'][key]:14.2f}  {ratio:6.3f}", flush=True)
    print(f"\nthe largest ratio is {worst:.3f}")


main()

#!/usr/bin/env python3
"""What `actio advise` proposes for every example, beside the best of all methods that take it.

  bench/advise.py PROGRAM [EXAMPLE ...]      PROGRAM: build/release/actio; examples by name, all where none is given

For each example the program ranks the methods and tries the first three: its first choice is what is judged. Then it tries all methods
that take the system, with all their orders and compositions, by the same measure: each takes the step with which positions are off
by 1e-4 of how far they move, and its cost is the time for a unit of time. The ratio is the cost of the first choice over that of the
cheapest. It counts where it is at most 2. The cheapest is also given among methods that keep what the system keeps.

Columns: seconds of the first call; how many methods were measured; how many were given up because they cost more than four times the
cheapest before they had the error; and how many had not ended when the time for all trials was over.
"""
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

SECONDS = 20  # for the trials of all methods
ROOT = Path(__file__).resolve().parents[1]


def advise(program, example, *options):
    begin = time.perf_counter()
    made = subprocess.run([program, "advise", f"examples/{example}.toml", "--json", *options], cwd=ROOT, capture_output=True, text=True,
                          check=False)
    if made.returncode == 2:
        sys.exit(made.stderr)
    return json.loads(made.stdout), time.perf_counter() - begin


def measured(advice):
    return {m["method"]: m for m in advice["methods"] if m["tried"] and m["measured"] and m["cost"] and m["verdict"] != "failed"}


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.processor()


def main():
    program, *examples = sys.argv[1:]
    program = str(Path(program).resolve())
    examples = examples or sorted(path.stem for path in (ROOT / "examples").glob("*.toml"))
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    print(f"date       {time.strftime('%Y-%m-%d')}\ncommit     {commit}\n\nThe first choice of actio advise beside the best of all methods\n")
    print(f"processor  {processor()}, {os.cpu_count()} cores\nload       {os.getloadavg()[0]:.1f} at the start\n")
    print(f"{'example':<24}{'first choice':<37}{'seconds':>8}{'measured':>9}{'dearer':>7}{'no time':>8}  {'cheapest':<37}{'ratio':>6}   {'cheapest that keeps structure':<37}{'ratio':>6}")
    within, count = 0, 0
    for example in examples:
        advice, seconds = advise(program, example)
        every, _ = advise(program, example, "--tries", "1000", "--seconds", str(SECONDS))
        costs = measured(every)
        for name, m in measured(advice).items():  # where there was no time for it among all
            costs.setdefault(name, m)
        keeping = {name: m for name, m in costs.items() if m["keeps_structure"]}
        best = min(costs, key=lambda name: costs[name]["cost"], default=None)
        keeps = min(keeping, key=lambda name: costs[name]["cost"], default=None)
        given_up = [m for m in every["methods"] if m["tried"] and m["method"] not in costs]
        dearer = sum("it costs more" in m["why_not"] for m in given_up)
        late = sum("would take longer" in m["why_not"] or "was over" in m["why_not"] for m in given_up)
        counts = f"{len(costs):>9}{dearer:>7}{late:>8}"
        first = advice["best"]
        count += 1
        if first is None or best is None:
            print(f"{example:<24}{first or 'none':<37}{seconds:>8.1f}{counts}  {best or 'none':<37}", flush=True)
            continue
        ratio = costs[first]["cost"] / costs[best]["cost"]
        within += ratio <= 2
        print(f"{example:<24}{first:<37}{seconds:>8.1f}{counts}  {best:<37}{ratio:>6.2f}   {keeps:<37}"
              f"{costs[first]['cost'] / costs[keeps]['cost']:>6.2f}", flush=True)
        if "-v" in os.environ.get("ADVISE", ""):
            for name in sorted(costs, key=lambda name: costs[name]["cost"])[:8]:
                m = costs[name]
                print(f"    {name:<38} cost {m['cost']:.3g} predicted {m['predicted_cost'] or 0:.3g} ns {m['ns_per_step']:.3g} h {m['step']:.3g} "
                      f"order {m['order']} error {m['error']:.1e} {m['verdict']} {m['remark'][:60]}", flush=True)
            print("    tried", [m["method"] for m in advice["methods"] if m["tried"]])
            for m in every["methods"]:
                if m["tried"] and not m["measured"]:
                    print("    -", m["method"], m["why_not"][:90])
    print(f"\n{within} of {count} first choices cost at most twice the cheapest")


if __name__ == "__main__":
    main()

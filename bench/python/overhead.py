"""What Python costs: the import, a call that makes a step, a run of 1e6 steps beside the program's own.

    PYTHONPATH=build/release/python build/venv/bin/python bench/python/overhead.py build/release/actio
"""

import json
import statistics
import subprocess
import sys
import time

program = sys.argv[1]
file = "examples/oscillator.toml"
million = {"run.step": 0.2, "run.end": 200000, "run.every": 1000}
words = [f"{key}={value}" for key, value in million.items()]


def seconds(work, repeats):
    out = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        out.append(time.perf_counter() - start)
    return out


def imported():
    code = "import time; a = time.perf_counter(); import actio; print(time.perf_counter() - a)"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def of_program():
    out = subprocess.run([program, "run", file, "--json", *words], capture_output=True, text=True)
    return json.loads(out.stdout)["wall_seconds"]


def main():
    import actio

    times = [imported() for _ in range(11)]
    print(f"import actio                 {1e3 * statistics.median(times):8.1f} ms  (largest of 11: {1e3 * max(times):.1f})")
    sim = actio.Simulation(file, "verlet", h=0.1)
    calls = 20000

    def steps():
        for _ in range(calls):
            sim.step()

    one = min(seconds(steps, 5)) / calls
    many = min(seconds(lambda: sim.step(calls), 5)) / calls
    print(f"sim.step()                   {1e6 * one:8.2f} us, of which a step takes {1e6 * many:.3f}")
    ours, theirs = [], []
    for _ in range(7):  # in turn, so that both see the same machine
        ours.append(actio.run(file, million).certificate.wall_seconds)
        theirs.append(of_program())
    a, b = min(ours), min(theirs)
    print(f"1e6 steps of Newmark         {1e3 * a:8.1f} ms in Python, {1e3 * b:.1f} ms in the program: {a / b:.3f}")
    whole_ours = min(seconds(lambda: actio.run(file, million), 5))
    whole_theirs = min(seconds(lambda: subprocess.run([program, "run", file, "-q", *words]), 5))
    print(f"the whole of it              {1e3 * whole_ours:8.1f} ms, and the program from start to end {1e3 * whole_theirs:.1f}")


main()

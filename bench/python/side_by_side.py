"""What the side by side scripts share: the head of a table, lines of user code, the least time of several runs."""

import importlib.metadata
import inspect
import os
import platform
import tempfile
import time

_empty = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = os.environ["ACTIO_CACHE"] = _empty.name  # compiled code of earlier runs is not found: a first call is one


def head(title, *packages):
    """Prints the title, the machine and the versions."""
    processor = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            processor = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), processor)
    import actio

    versions = [f"actio {actio.__version__}"] + [f"{name} {importlib.metadata.version(name)}" for name in packages]
    print(f"{title}\n\nprocessor  {processor}, {os.cpu_count()} cores\nversions   Python {platform.python_version()}, {', '.join(versions)}")
    load = os.getloadavg()[0]
    print(f"load       {load:.1f} at the start" + (": other work ran beside, so only ratios within this table mean something\n" if load > 1 else "\n"))


def lines(*functions):
    """Lines of code, without empty lines, comments and one-line docstrings."""
    return sum(1 for f in functions for line in inspect.getsource(f).splitlines()
               if line.strip() and not line.strip().startswith(("#", '"""', "@")))


def seconds(work):
    """(time, what it gave)."""
    begin = time.perf_counter()
    out = work()
    return time.perf_counter() - begin, out


def in_turn(rounds, works):
    """Of several works by name, each done once a round in turn so that all see the same machine: the least of the times they
    give as their first result, and the last of the rest."""
    best, rest = {}, {}
    for _ in range(rounds):
        for name, work in works.items():
            t, *others = work()
            best[name] = min(t, best.get(name, t))
            rest[name] = others
    return best, rest

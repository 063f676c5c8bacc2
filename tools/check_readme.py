#!/usr/bin/env python3
"""Runs the code of README.md: check_readme.py ROOT SCRATCH PREFIX (an install tree).

  ```sh     commands that start with ./actio succeed, in a copy of the examples; `./actio test`, `sanitize`, `coverage` and `papers`
            are known but not run from inside a test
  ```text   after such a block: its lines stand in what the last command printed, in that order; numbers, units of time and gaps
            may differ, lines in between may be left out
  ```toml   a problem file that `actio check` accepts
  ```cpp    a program that compiles against the install tree and exits with 0
"""
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

NOT_HERE = {"test", "sanitize", "coverage", "papers"}
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?( (ns|us|ms|s)\b)?|\binf\b|\bnan\b")  # and a time's unit
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(readme LANGUAGES CXX)
find_package(actio REQUIRED)
add_executable(readme main.cpp)
target_link_libraries(readme PRIVATE actio::actio)
"""


class Failure(Exception):
    pass


def blocks(text):
    """(line, language, body) of every fenced block."""
    for match in re.finditer(r"^```(\w*)[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


def run(command, cwd, where):
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"README.md:{where}: `{shlex.join(map(str, command))}` exited with {done.returncode}\n{done.stdout}")
    return done.stdout


def shape(line):
    """A line without what may differ from machine to machine: numbers, units of time, the width of gaps."""
    return " ".join(NUMBER.sub("#", line).split())


def check_excerpt(where, body, printed):
    lines = [shape(line) for line in printed.splitlines()]
    at = 0
    for offset, line in enumerate(body.splitlines(), where + 1):
        if not line.strip():
            continue
        try:
            at = lines.index(shape(line), at) + 1
        except ValueError:
            raise Failure(f"README.md:{offset}: not printed any more: {line}\n--- printed:\n{printed}") from None


def main(root, scratch, prefix):
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    for folder in ("examples", "models"):
        if (root / folder).is_dir():
            shutil.copytree(root / folder, scratch / folder)
    (scratch / "actio").symlink_to(root / "actio")
    printed, counts = None, {"sh": 0, "text": 0, "toml": 0, "cpp": 0}
    for where, language, body in blocks((root / "README.md").read_text(encoding="utf-8")):
        counts[language] = counts.get(language, 0) + 1
        if language == "sh":
            for line in body.splitlines():
                words = shlex.split(line, comments=True)
                if words[:1] == ["./actio"] and not NOT_HERE.intersection(words[1:2]):
                    printed = run(words, scratch, where)
        elif language == "text" and printed is not None:
            check_excerpt(where, body, printed)
        elif language == "toml":
            file = scratch / f"line{where}.toml"
            file.write_text(body, encoding="utf-8")
            run([prefix / "bin" / "actio", "check", file], scratch, where)
        elif language == "cpp":
            project = scratch / f"line{where}"
            project.mkdir()
            (project / "main.cpp").write_text(body, encoding="utf-8")
            (project / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
            run(["cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}"], project, where)
            run(["cmake", "--build", "build"], project, where)
            run(["build/readme"], project, where)
    if counts["sh"] == 0:
        raise Failure("README.md has no ```sh block")
    print(", ".join(f"{n} {language}" for language, n in counts.items()) + " blocks hold")


if __name__ == "__main__":
    try:
        main(*(Path(argument).resolve() for argument in sys.argv[1:4]))
    except Failure as failure:
        sys.exit(str(failure))

#!/usr/bin/env python3
"""Runs the code of README.md and of the pages named in PAGES: check_readme.py ROOT SCRATCH PREFIX (an install tree).

  ```sh     commands that start with ./actio succeed, in a copy of the examples; those of NOT_HERE are known but not run from
            inside a test. `./actio plot`, `report` and `python` run by this Python, if it has the package actio. A command that
            is to fail says how behind it: "# exit code 2"
  ```text   after such a block: its lines stand in what the last command printed, in that order; numbers, units of time and gaps
            may differ, lines in between may be left out, and so may the end of a line that ends in " ..."
  ```toml   a problem file that `actio check` accepts. If the sentence before it names it, "`pendulum.toml`:", it is written under
            that name, for the commands below
  ```python the blocks of a page, one after the other as one program, if this Python has the package actio. What another package
            is needed for is left out where that is missing: a block that begins with "# needs NAME". If the sentence before
            a block names it, "`own.py`:", it is a file for the commands below instead
  ```cpp    a program that compiles against the install tree and exits with 0, by the page's own ```cmake if there is one
"""
import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

PAGES = ("README.md", "docs/index.md", "docs/first-steps-*.md", "docs/which-method.md", "docs/coming-from/*.md",
         "docs/theory/*.md", "docs/cookbook/*.md")
NOT_HERE = {"test", "sanitize", "coverage", "papers", "docs"}
BY_PYTHON = {"plot", "report", "python"}
NAMED = re.compile(r"`([\w.-]+\.(?:toml|py))`[^`\n]*:\n+\Z")
CODE = re.compile(r"#.*\bexit code (\d)")
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
    """(line, language, name or None, body) of every fenced block."""
    for match in re.finditer(r"^```(\w*)[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        named = NAMED.search(text, 0, match.start())
        yield text.count("\n", 0, match.start()) + 1, match.group(1), named and named.group(1), match.group(2)


def run(command, cwd, where, code=0):
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode != code:
        raise Failure(f"{where}: `{shlex.join(map(str, command))}` exited with {done.returncode}\n{done.stdout}")
    return done.stdout


def shape(line):
    """A line without what may differ from machine to machine: numbers, units of time, the width of gaps."""
    return " ".join(NUMBER.sub("#", line).split())


def check_excerpt(page, where, body, printed):
    lines = [shape(line) for line in printed.splitlines()]
    at = 0
    for offset, line in enumerate(body.splitlines(), where + 1):
        if not line.strip():
            continue
        begin, cut, _ = shape(line).partition(" ...")
        found = [k for k in range(at, len(lines)) if (lines[k].startswith(begin) if cut else lines[k] == begin)]
        if not found:
            raise Failure(f"{page}:{offset}: not printed any more: {line}\n--- printed:\n{printed}")
        at = found[0] + 1


class Page:
    """One page's blocks, run in a folder of its own."""

    def __init__(self, root, path, scratch, prefix):
        self.name, self.scratch, self.prefix = path.relative_to(root), scratch, prefix
        self.text = path.read_text(encoding="utf-8")
        self.has_package = importlib.util.find_spec("actio") is not None
        scratch.mkdir(parents=True)
        for folder in ("examples", "models"):
            if (root / folder).is_dir():
                shutil.copytree(root / folder, scratch / folder)
        (scratch / "actio").symlink_to(root / "actio")

    def check(self):
        """Runs every block. Gives how many of each language."""
        printed, counts, program, project = None, {}, "", PROJECT
        for _, language, _, body in blocks(self.text):
            project = body if language == "cmake" else project
        for line, language, name, body in blocks(self.text):
            where = f"{self.name}:{line}"
            counts[language] = counts.get(language, 0) + 1
            if language == "sh":
                printed = self.run_commands(body, where, printed)
            elif language == "text" and printed is not None:
                check_excerpt(self.name, line, body, printed)
            elif language == "toml":
                file = self.scratch / (name or f"line{line}.toml")
                file.write_text(body, encoding="utf-8")
                run([self.prefix / "bin" / "actio", "check", file], self.scratch, where)
            elif language == "python" and name:
                (self.scratch / name).write_text(body, encoding="utf-8")
            elif language == "python" and not self.lacks(body):
                program += f"# {where}\n{body}"
            elif language == "cpp":
                self.run_program(body, project, line, where)
        if program and self.has_package:
            file = self.scratch / "page.py"
            file.write_text(program, encoding="utf-8")
            run([sys.executable, "-W", "error::UserWarning", file], self.scratch, self.name)
        return counts

    def lacks(self, body):
        needs = re.match(r"# needs ([\w ,]+)", body)
        return needs and any(importlib.util.find_spec(word) is None for word in re.findall(r"\w+", needs.group(1)))

    def run_commands(self, body, where, printed):
        for line in body.splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] != ["./actio"] or NOT_HERE.intersection(words[1:2]):
                continue
            if BY_PYTHON.intersection(words[1:2]):
                if not self.has_package:
                    printed = None  # there is nothing to compare with what follows
                    continue
                words = [sys.executable, *(["-m", "actio", *words[1:]] if words[1] != "python" else words[2:])]
            code = CODE.search(line)
            printed = run(words, self.scratch, where, int(code.group(1)) if code else 0)
        return printed

    def run_program(self, body, project, line, where):
        folder = self.scratch / f"line{line}"
        folder.mkdir()
        (folder / "main.cpp").write_text(body, encoding="utf-8")
        (folder / "CMakeLists.txt").write_text(project, encoding="utf-8")
        name = re.search(r"add_executable\(\s*(\w+)", project).group(1)
        run(["cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}"], folder, where)
        run(["cmake", "--build", "build"], folder, where)
        run([f"build/{name}"], folder, where)


def main(root, scratch, prefix):
    shutil.rmtree(scratch, ignore_errors=True)
    for path in (path for pattern in PAGES for path in sorted(root.glob(pattern))):
        page = Page(root, path, scratch / str(path.relative_to(root)).replace("/", "-"), prefix)
        counts = page.check()
        if path.name == "README.md" and "sh" not in counts:
            raise Failure("README.md has no ```sh block")
        print(f"{page.name}: " + ", ".join(f"{n} {language}" for language, n in counts.items() if language) + " blocks hold", flush=True)


if __name__ == "__main__":
    try:
        main(*(Path(argument).resolve() for argument in sys.argv[1:4]))
    except Failure as failure:
        sys.exit(str(failure))

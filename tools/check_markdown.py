#!/usr/bin/env python3
"""Checks the Markdown pages of the repository: check_markdown.py ROOT [--wrap].

No line is longer than 160 characters, and every relative link leads to a file of the repository. Pages of papers/ are written by
their make.py and may have long rows of tables. --wrap breaks long lines of text at a sentence or a word; rows of tables and code it
leaves as they are.
"""
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

MOST = 160
LINK = re.compile(r"\]\(([^)\s]+)\)")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)  # of the site alone: its pages are made when it is built


def pages(root):
    done = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=root, capture_output=True, text=True,
                          check=False)
    names = done.stdout.split() if done.returncode == 0 else [str(path.relative_to(root)) for path in root.rglob("*.md")]
    return [root / name for name in names if not name.startswith(("build/", "install/"))]


def lines_of(text):
    """(number, line, "code", "table" or "text")."""
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"\s*(`{3,})", line)
        if fence:
            yield number, line, "code"
            fence = "" if mark and len(mark.group(1)) >= len(fence) else fence
        elif mark:
            fence = mark.group(1)
            yield number, line, "code"
        else:
            yield number, line, "table" if line.lstrip().startswith("|") else "text"


def broken(line):
    """A line of text as lines that fit, at ends of sentences where that leaves more than half of a line."""
    indent = re.match(r"\s*(?:[-*+] |\d+\. )?", line).group(0)
    after, rest, out = " " * len(indent), line, []
    while len(rest) > MOST:
        places = [match.start() for match in re.finditer(r"(?<=\S) (?=\S)", rest[: MOST + 1]) if match.start() > len(indent)]
        places = [place for place in places if fits(rest, place)]
        if not places:
            break
        ends = [place for place in places if rest[place - 1] in ".:;" and place > MOST // 2]
        place = (ends or places)[-1]
        out.append(rest[:place])
        rest = after + rest[place + 1:]
    return [*out, rest]


def fits(line, place):
    """Whether a break there changes nothing: not within code or a formula, nor before what would begin a list, a title or a quotation."""
    return line.count("`", 0, place) % 2 == 0 and line.count("$", 0, place) % 2 == 0 and not re.match(r"([-+*#>|=]|\d+[.)])", line[place + 1:])


def main(root, wrap):
    wrong = []
    for page in pages(root):
        name, text = page.relative_to(root), page.read_text(encoding="utf-8")
        by_program = name.parts[0] == "papers"
        if wrap:
            out = []
            for _, line, kind in lines_of(text):
                out += broken(line) if kind == "text" and len(line) > MOST else [line]
            if "\n".join(out) != text:
                text = "\n".join(out)
                page.write_text(text, encoding="utf-8")
        for number, line, kind in lines_of(text):
            if len(line) > MOST and not (by_program and kind == "table"):
                wrong.append(f"{name}:{number}: {len(line)} characters, at most {MOST}")
        for number, line, kind in lines_of(COMMENT.sub(lambda match: "\n" * match.group(0).count("\n"), text)):
            for target in LINK.findall(re.sub(r"`[^`]*`", "", line)) if kind != "code" else ():
                path = unquote(target.partition("#")[0])
                if path and "://" not in path and not path.startswith("mailto:") and not (page.parent / path).exists():
                    wrong.append(f"{name}:{number}: {target} leads nowhere")
    print("\n".join(wrong) if wrong else "no line is too long, and every link leads to a file")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), "--wrap" in sys.argv[2:]))

#!/usr/bin/env python3
"""Builds the manual as a site: build.py ROOT OUT PROGRAM [--serve [PORT]]. ROOT is the repository, PROGRAM is actio.

OUT/source is a copy of the repository's Markdown pages and of the files that they link to, at the same places, so that links are
those of the repository. These are added: a page for each method (methods.py) and a gallery (gallery.py), made by running the
program; the reference of problem files (reference.py), of the Python package (python_api.py) and of the headers (cpp_api.py, by
Doxygen); the measured pages (measured.py); and the navigation, which is the list of docs/index.md. OUT/html is the site. The build
fails on any warning of Sphinx, on a link that leads nowhere, and on a page that would load something from the network.
"""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

PAGES = ("*.md", "docs/*.md", "docs/*/*.md", "papers/*/README.md", "bench/README.md", "bench/gpu/README.md", "models/README.md")
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")
FENCE = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)


def copy_pages(root, source):
    """The pages, and what they link to. A link to a folder becomes one to its page, or its words alone."""
    for page in sorted({page for pattern in PAGES for page in root.glob(pattern)}):
        place = page.relative_to(root)
        parts = FENCE.split(page.read_text(encoding="utf-8"))
        parts[::2] = [LINK.sub(lambda match: _link(match, page, root, source), part) for part in parts[::2]]
        text = "".join(parts)
        # What only the site has stands in comments, which the repository does not show.
        text = re.sub(r"<!-- site: (.*?) -->", r"\1", text, flags=re.DOTALL)
        _write(source / place, text)


def _link(match, page, root, source):
    words, target = match.groups()
    path, _, anchor = target.partition("#")
    if not path or "://" in path or path.startswith("mailto:"):
        return match.group(0)
    file = (page.parent / unquote(path)).resolve()
    if not file.is_relative_to(root):
        raise SystemExit(f"{page.relative_to(root)}: {target} leads out of the repository")
    if file.is_dir():
        has_page = (file / "README.md").is_file() or file == root / "docs/decisions"  # whose page is made here
        return f"{words}({path.rstrip('/')}/README.md)" if has_page else words[1:-1]
    if file.is_file() and file.suffix != ".md":
        copied = source / file.relative_to(root)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copied)
    return match.group(0)


def _write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def add_navigation(source):
    """The sections of docs/index.md below "Contents" become the navigation: each `###` a caption, each link an entry."""
    index = source / "docs/index.md"
    text = index.read_text(encoding="utf-8")
    known = set()
    for section in text.partition("\n## Contents\n")[2].split("\n### ")[1:]:
        caption, _, body = section.partition("\n")
        entries = [target.partition("#")[0] for _, target in LINK.findall(body) if target.partition("#")[0].endswith(".md")]
        entries = [entry for entry in dict.fromkeys(entries) if entry not in known]
        known.update(entries)
        text += f"\n```{{toctree}}\n:caption: {caption}\n:hidden:\n\n" + "\n".join(entries) + "\n```\n"
    index.write_text(text, encoding="utf-8")
    decisions = sorted((source / "docs/decisions").glob("*.md"))
    _write(source / "docs/decisions/README.md", "# Decisions\n\nWhy things are as they are: one page for each decision.\n\n```{toctree}\n:maxdepth: 1\n\n"
           + "\n".join(page.name for page in decisions) + "\n```\n")


def link_methods(source, names):
    """The first mention of a method in each section, and all in tables, become links to its page."""
    mention = re.compile(r"(?<![\[`])`(" + "|".join(sorted(names, key=len, reverse=True)) + r")`(?![\]`])")
    for page in [page for folder in ("", "coming-from/", "theory/", "cookbook/") for page in source.glob(f"docs/{folder}*.md")]:
        up = "" if page.parent.name == "docs" else "../"
        parts = FENCE.split(page.read_text(encoding="utf-8"))
        for k in range(0, len(parts), 2):
            lines, seen = parts[k].split("\n"), set()
            for at, line in enumerate(lines):
                if line.startswith("#"):
                    seen.clear()
                    continue

                def linked(match, in_table=line.startswith("|")):
                    if (match.group(1) in seen and not in_table) or _inside_link(match):
                        return match.group(0)
                    seen.add(match.group(1))
                    return f"[`{match.group(1)}`]({up}methods/{match.group(1)}.md)"

                lines[at] = mention.sub(linked, line)
            parts[k] = "\n".join(lines)
        page.write_text("".join(parts), encoding="utf-8")


def _inside_link(match):
    before = match.string[: match.start()]
    return before.rfind("[") > before.rfind("]")


class Page:
    """Where a page leads, what it loads, and its anchors. Sphinx writes attributes in double quotes."""

    TAG = re.compile(r"<([a-z]+)((?:\s+[\w:-]+(?:=\"[^\"]*\")?)*)\s*/?>")

    def __init__(self, text):
        self.links, self.loads, self.anchors = [], [], set()
        for tag, words in self.TAG.findall(text):
            found = dict(re.findall(r"\b(id|href|src|rel)=\"([^\"]*)\"", words))
            if "id" in found:
                self.anchors.add(unescape(found["id"]))
            if "href" in found and tag == "a":
                self.links.append(unescape(found["href"]))
            elif "href" in found and tag == "link" and found.get("rel") != "canonical":
                self.loads.append(unescape(found["href"]))
            elif "src" in found:
                self.loads.append(unescape(found["src"]))


def check_links(html):
    """Every link within the site leads to a file, and to an anchor of it; nothing is loaded from elsewhere."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in html.rglob("*.html")}
    wrong, count = [], 0
    for path, page in pages.items():
        for target in page.links + page.loads:
            url = urlsplit(target)
            if url.scheme in ("http", "https", "mailto") or url.netloc:
                if target in page.loads:
                    wrong.append(f"{path.relative_to(html)} loads {target}")
                continue
            if url.scheme == "data":
                continue
            count += 1
            file = (path.parent / unquote(url.path)).resolve() if url.path else path
            if file.is_dir():
                file /= "index.html"
            if not file.is_file():
                wrong.append(f"{path.relative_to(html)}: {target} leads nowhere")
            elif url.fragment and file in pages and unquote(url.fragment) not in pages[file].anchors:
                wrong.append(f"{path.relative_to(html)}: {target} has no such place")
    for sheet in html.rglob("*.css"):
        if re.search(r"(url\(|@import)\s*['\"]?(https?:)?//", sheet.read_text(encoding="utf-8")):
            wrong.append(f"{sheet.relative_to(html)} loads from the network")
    if wrong:
        raise SystemExit("\n".join(wrong))
    print(f"{len(pages)} pages, {count} links within the site hold")


def build(root, out, program):
    import cpp_api
    import gallery
    import measured
    import methods
    import python_api
    import reference

    source, html = out / "source", out / "html"
    for folder in (source, html):
        shutil.rmtree(folder, ignore_errors=True)
    copy_pages(root, source)
    with ProcessPoolExecutor(1) as beside:
        drawn = beside.submit(gallery.write_page, root, source / "docs", out / "pictures", program)
        names = methods.write_pages(root, source / "docs/methods", program)
        reference.write_pages(root, source / "docs/reference", program)
        python_api.write_pages(source / "docs/reference/python")
        cpp_api.write_pages(root, source / "docs/reference/cpp")
        measured.write_pages(root, source / "docs/measured")
        drawn.result()
    add_navigation(source)
    link_methods(source, names)
    shutil.copytree(Path(__file__).parent / "static", source / "static")
    shutil.copyfile(Path(__file__).parent / "conf.py", source / "conf.py")
    subprocess.run([sys.executable, "-m", "sphinx", "-j", "auto", "-b", "html", "-W", "--keep-going", "-q", "-d", out / "doctrees", source, html], check=True)
    _write(html / "index.html", '<!doctype html><title>Actio</title><meta http-equiv="refresh" content="0; url=docs/index.html">'
           '<a href="docs/index.html">The manual of Actio</a>\n')
    check_links(html)
    print(html / "index.html")
    return html


def serve(html, port):
    import functools
    import http.server

    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=html)
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}/ (Ctrl-C ends)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    if any(importlib.util.find_spec(needed) is None for needed in ("sphinx", "furo", "myst_parser", "matplotlib")):
        print("Sphinx, furo, myst-parser or matplotlib is missing: ./actio docs installs them")
        sys.exit(77)  # a test that is skipped
    made = build(*(Path(argument).resolve() for argument in sys.argv[1:4]))
    if "--serve" in sys.argv[4:]:
        serve(made, int((sys.argv[5:] or ["8000"])[0]))

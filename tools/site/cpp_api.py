"""The reference of the public headers in C++ and C: a page for each, made from Doxygen's XML and the comments of the headers.

Doxygen knows what is declared and where; a comment belongs to the declaration below it, or stands behind it on its line. The
comments are plain text with formulas, so they are shown as they stand. Without Doxygen each page says so.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

# The headers that a user includes, by what they are for. Those of petsc/ are of the library actio::petsc.
HEADERS = {
    "Systems": ("system/mechanical.hpp", "system/lagrangian.hpp", "system/forced.hpp", "system/with_constraints.hpp", "system/symmetry.hpp",
                "system/callbacks.hpp", "system/model.hpp", "system/bodies.hpp", "system/solid.hpp", "system/materials.hpp",
                "system/mesh.hpp", "system/thermostat.hpp", "system/potential_abi.h"),
    "Steppers": ("method/stepper.hpp", "method/verlet.hpp", "method/variational.hpp", "method/newmark.hpp", "method/constrained.hpp",
                 "method/galerkin.hpp", "method/energy_momentum.hpp", "method/linearly_implicit.hpp", "method/lie_group.hpp",
                 "method/runge_kutta.hpp", "method/splitting.hpp", "method/minimising_newmark.hpp", "method/two_step.hpp",
                 "method/composition.hpp"),
    "Methods and integrators": ("method/method.hpp", "method/spec.hpp", "method/integrator.hpp", "method/integrator_of.hpp",
                                "method/step_control.hpp"),
    "Runs": ("run/integrate.hpp", "run/schedule.hpp", "run/observer.hpp", "run/observable.hpp", "run/event.hpp", "run/events.hpp",
             "run/dense_output.hpp", "run/trajectory.hpp", "run/checkpoint.hpp", "run/ensemble.hpp"),
    "The certificate": ("invariant/certificate.hpp", "invariant/agreement.hpp", "invariant/thresholds.hpp", "invariant/momentum.hpp",
                        "invariant/json.hpp"),
    "Discrete Lagrangians": ("discrete/quadrature.hpp", "discrete/lagrangian_of.hpp", "discrete/representations.hpp"),
    "Files": ("io/problem.hpp", "io/vocabulary.hpp", "io/mesh.hpp", "io/matrix_market.hpp", "io/csv.hpp"),
    "Sessions": ("session/session.hpp", "session/advise.hpp", "session/modes.hpp", "session/catalogue.hpp"),
    "Vectors, matrices and expressions": ("algebra/dense.hpp", "algebra/small.hpp", "algebra/sparse.hpp", "expr/kernel.hpp", "core/error.hpp"),
    "Many processes": ("petsc/space.hpp", "petsc/mass.hpp", "petsc/access.hpp", "petsc/distributed_space.hpp", "petsc/krylov.hpp",
                       "petsc/local_model.hpp", "petsc/partition.hpp"),
    "C": ("c/actio.h",),
}
KINDS = ("class", "struct", "union", "concept")
# What every stepper or system has is explained where it is asked for, in the concepts of one header.
CONTRACTS = {"Steppers": ("method/stepper.hpp", {"Space", "Vector", "Matrix", "State", "System", "Multipliers", "Jacobian", "KktSolver"}),
             "Systems": ("system/lagrangian.hpp", {"Space", "Vector", "Matrix"})}
MARKUP = re.compile(r"([*_<>|\[\]\\#$])")
OPENS = re.compile(r"^\s*(template\b|requires\b|\[\[|friend\b)")


class Source:
    """A header's lines, and the comment of each declaration."""

    def __init__(self, path):
        self.lines = path.read_text(encoding="utf-8").split("\n")
        if path.suffix == ".h":
            self.lines = _line_comments(self.lines)

    def above(self, line):
        """The comment that ends above a declaration at `line` (from 1), past lines that open the declaration."""
        at = line - 2
        while at >= 0 and OPENS.match(self.lines[at]) and not self.lines[at].rstrip().endswith(";"):
            at -= 1
        end = at
        while at >= 0 and self.lines[at].lstrip().startswith("//"):
            at -= 1
        return _comment(self.lines[at + 1:end + 1])

    def behind(self, line):
        """The comment behind a declaration that begins at `line`, with the lines by which it goes on."""
        for at in range(line - 1, min(line + 6, len(self.lines))):
            code, mark, words = self.lines[at].partition("//")
            if mark and code.strip():
                found = [words]
                while at + 1 < len(self.lines) and re.match(r"\s{8,}//", self.lines[at + 1]):
                    at += 1
                    found.append(self.lines[at].partition("//")[2])
                return " ".join(word.strip() for word in found)
            if code.rstrip().endswith((";", "{", "}", ",")):
                break
        return ""

    def introduction(self):
        """The comment above the namespace, or above the first declaration of C."""
        for at, line in enumerate(self.lines):
            if line.startswith(("namespace ", "#define ACTIO_C_ABI", 'extern "C"')):
                begin = at
                while begin > 0 and self.lines[begin - 1].startswith("//"):
                    begin -= 1
                return _comment(self.lines[begin:at])
        return ""


def _line_comments(lines):
    """C's comments as those of C++, line by line."""
    out, inside = [], False
    for line in lines:
        if inside:
            end = line.find("*/")
            words = re.sub(r"^\s*\* ?", "", line if end < 0 else line[:end])
            out.append("//" + (" " + words.rstrip() if words.strip() else ""))
            inside = end < 0
            continue
        begin = line.find("/*")
        if begin < 0:
            out.append(line)
            continue
        end = line.find("*/", begin)
        out.append((line[:begin] + "// " + (line[begin + 2:] if end < 0 else line[begin + 2:end]).strip()).rstrip())
        inside = end < 0
    return out


def _comment(lines):
    return "\n".join(re.sub(r"^\s*// ?", "", line).rstrip() for line in lines).strip("\n")


def text(words):
    """A comment's words as Markdown: nothing in them is markup, but code in backquotes."""
    parts = re.split(r"(`[^`]*`)", words)
    parts[::2] = [MARKUP.sub(r"\\\1", part).replace("`", "\\`") for part in parts[::2]]
    return "".join(parts)


def prose(comment):
    """A comment as Markdown: what is indented, a formula or code, stays as it is."""
    out, block, paragraph = [], [], []

    def flush():
        if paragraph:
            out.append(" ".join(text(line.strip()) for line in paragraph))
            out.append("")
            paragraph.clear()
        if block:
            shift = min(len(line) - len(line.lstrip()) for line in block if line.strip())
            out.extend(["```text", *[line[shift:] for line in block], "```", ""])
            block.clear()

    for line in comment.split("\n"):
        if line.startswith("  ") and line.strip():
            if paragraph:
                flush()
            block.append(line)
        elif not line.strip():
            flush()
        else:
            if block:
                flush()
            paragraph.append(line)
    flush()
    return out


def _path(root, name):
    return root / ("petsc/include/actio" if name.startswith("petsc/") else "include/actio") / name


def run_doxygen(root):
    """What is declared: {path: [compounds]} and {path: [members of namespaces]}; None without Doxygen."""
    program = shutil.which("doxygen")
    if program is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        files = " ".join(f'"{_path(root, name)}"' for names in HEADERS.values() for name in names)
        settings = (f"INPUT = {files}\nOUTPUT_DIRECTORY = {folder}\nGENERATE_HTML = NO\nGENERATE_LATEX = NO\nGENERATE_XML = YES\n"
                    "XML_PROGRAMLISTING = NO\nEXTRACT_ALL = YES\nEXTRACT_STATIC = YES\nQUIET = YES\nWARNINGS = NO\nMARKDOWN_SUPPORT = NO\n"
                    "ENABLE_PREPROCESSING = YES\nMACRO_EXPANSION = YES\nEXPAND_ONLY_PREDEF = YES\nPREDEFINED = ACTIO_C_API= __cplusplus=202002L\n")
        done = subprocess.run([program, "-"], input=settings, text=True, capture_output=True, check=False)
        if done.returncode:
            raise SystemExit(f"doxygen: {done.stderr}")
        compounds, members = {}, {}
        for path in Path(folder, "xml").glob("*.xml"):
            if path.name in ("index.xml", "Doxyfile.xml"):
                continue
            of = ElementTree.parse(path).getroot().find("compounddef")
            kind = of.get("kind")
            if kind in KINDS:
                compounds.setdefault(_file(of), []).append(of)
            if kind in ("namespace", "file"):
                for member in of.iter("memberdef"):
                    if kind == "namespace" or not (of.find("innernamespace") is not None and member.get("kind") != "define"):
                        members.setdefault(_file(member), {})[member.get("id")] = member
        return compounds, {path: list(found.values()) for path, found in members.items()}


def _file(of):
    return str(Path(of.find("location").get("file")).resolve()) if of.find("location") is not None else ""


def _line(of):
    return int(of.find("location").get("line"))


def words_of(element):
    return re.sub(r"\s+", " ", "".join(element.itertext())).strip() if element is not None else ""


def _template(of):
    parameters = of.find("templateparamlist")
    if parameters is None:
        return ""
    parts = []
    for one in parameters.findall("param"):
        kind, name, standard = words_of(one.find("type")), words_of(one.find("declname")), words_of(one.find("defval"))
        parts.append(f"{kind}{' ' + name if name else ''}{' = ' + standard if standard else ''}")
    return f"template <{', '.join(parts)}>"


def _signature(member):
    kind = member.get("kind")
    if kind == "typedef":
        return re.sub(r"^using \S.*::(\w+) =", r"using \1 =", words_of(member.find("definition")))
    if kind == "enum":
        values = ", ".join(words_of(value.find("name")) for value in member.findall("enumvalue"))
        name = words_of(member.find("name"))
        return f"enum {'class ' if member.get('strong') == 'yes' else ''}{name + ' ' if name else ''}{{ {values} }}"
    if kind == "define":
        return f"#define {words_of(member.find('name'))} {words_of(member.find('initializer'))}".rstrip()
    name = words_of(member.find("name"))
    kind_of = words_of(member.find("type"))
    if kind == "variable":
        arguments = words_of(member.find("argsstring"))
        standard = words_of(member.find("initializer"))
        standard = standard if len(standard) < 60 else ""
        return f"{kind_of} {name}{arguments}{' ' + standard if standard else ''}"
    static = "static " if member.get("static") == "yes" else ""
    arguments = re.sub(r"=0$", " = 0", words_of(member.find("argsstring")))
    return f"{static}{kind_of + ' ' if kind_of else ''}{name}{arguments}"


class Counts:
    """How much has a comment of its own, stands in a group that one comment opens, or is part of a contract."""

    def __init__(self):
        self.all, self.missing, self.contract = 0, [], set()

    def note(self, name, comment, source, line):
        self.all += 1
        owner, _, member = name.rpartition("::")
        if comment or (owner and member in self.contract) or member == owner.rpartition("::")[2]:  # a constructor is its class's
            return
        at = line - 2
        while at >= 0 and source.lines[at].strip():  # up to a blank line, a group of declarations is one
            if source.lines[at].lstrip().startswith("//") or "//" in source.lines[at]:
                return
            at -= 1
        self.missing.append(name)


def _members(of, source, name, counts):
    """Public members: fields as a table, functions as a list of what they are and what they do."""
    fields, functions = [], []
    for member in of.iter("memberdef"):
        if member.get("prot") != "public" or member.get("kind") == "friend" or words_of(member.find("name")).startswith(("~", "@")):
            continue
        line = _line(member)
        comment = source.above(line)
        behind = source.behind(line)
        (functions if member.get("kind") == "function" else fields).append((line, member, comment, behind))
    lines = []
    fields.sort(key=lambda one: one[0])
    if fields:
        lines += ["| | |", "|-|-|"]
        for line, member, comment, behind in fields:
            said = behind or comment
            counts.note(f"{name}::{words_of(member.find('name'))}", said, source, line)
            lines.append(f"| `{_signature(member).replace('|', chr(92) + '|')}` | {text(' '.join(said.split()))} |")
        lines.append("")
    for line, member, comment, behind in sorted(functions, key=lambda one: one[0]):
        signature = " ".join(filter(None, (_template(member), _signature(member))))
        counts.note(f"{name}::{words_of(member.find('name'))}", comment or behind, source, line)
        lines += ["```cpp", *_wrapped(signature), "```", *prose("\n\n".join(filter(None, (comment, behind))))]
    return lines


def _wrapped(signature):
    """A declaration in lines of at most 110 letters."""
    head, mark, rest = signature.partition("> ") if signature.startswith("template <") else ("", "", signature)
    lines = [head + ">"] if mark else []
    if len(rest) <= 110:
        return [*lines, rest]
    opening = rest.find("(")
    if opening < 0:
        return [*lines, rest]
    indent = " " * min(opening + 1, 8)
    current = ""
    parts = re.split(r"(?<=,) ", rest)
    for part in parts:
        if current and len(current) + len(part) > 108:
            lines.append(current)
            current = indent + part
        else:
            current = f"{current} {part}" if current else part
    return [*lines, current]


def contract_of(root, title):
    """The names that the concepts of a contract ask for."""
    if title not in CONTRACTS:
        return "", set()
    header, names = CONTRACTS[title]
    asked = re.findall(r"\bs(?:tepper)?\.(\w+)\(", _path(root, header).read_text(encoding="utf-8"))
    capabilities = re.findall(r"^  bool (\w+) = false;", _path(root, "method/stepper.hpp").read_text(encoding="utf-8"), re.MULTILINE)
    return header, {*names, *asked, "archive", *(["capabilities", "failure", *capabilities] if title == "Steppers" else [])}


def _page(root, name, compounds, members, counts, contract=""):
    path = _path(root, name)
    source = Source(path)
    lines = [f"# {name}", "", "```cpp", f"#include <actio/{name}>", "```", "", *prose(source.introduction())]
    if contract and contract != name:
        lines += [f"Members without a word beside them are explained in [{contract}]({re.sub(r'[/.]', '-', contract)}.md).", ""]
    introduced = bool(source.introduction())
    entries = [(_line(of), of, True) for of in compounds.get(str(path.resolve()), [])]
    entries += [(_line(of), of, False) for of in members.get(str(path.resolve()), [])]
    for line, of, compound in sorted(entries, key=lambda one: one[0]):
        full = words_of(of.find("compoundname" if compound else "name"))
        if "::detail" in full or full.startswith(("@", "ACTIO_C_API")) and of.get("kind") != "enum":
            continue
        short = re.sub(r"^actio::(\w+::)?", "", full)
        comment = source.above(line)
        if compound and of.get("prot", "public") != "private":
            if "<" in short and of.get("kind") != "concept":
                continue  # a specialisation
            concept = of.get("kind") == "concept"
            shown = _body(source, line) if concept else [*filter(None, [_template(of)]), f"{of.get('kind')} {full.removeprefix('actio::')}"]
            lines += [f"## {text(short)}", "", "```cpp", *shown, "```", "", *prose(comment)]
            # A concept may say what it is at each of its expressions.
            described = comment or (concept and any("//" in one for one in shown))
            counts.note(short, described or introduced, source, line)
            introduced = False  # the introduction of a header is that of its first class
            if concept:
                continue
            lines += _members(of, source, short, counts)
            continue
        if of.get("kind") == "define" and not full.startswith("ACTIO_"):
            continue
        behind = source.behind(line)
        if of.get("kind") == "enum":
            behind = ""
        if comment and comment == source.introduction():  # it belongs to the whole header
            comment = ""
        counts.note(short, comment or behind or of.get("kind") == "define", source, line)
        signature = " ".join(filter(None, (_template(of), _signature(of))))
        shown = short
        if short.startswith("@"):  # an enum without a name
            shown = words_of(of.find("enumvalue/name")) + ", ..."
        lines += [f"## {text(shown)}", "", "```cpp", *_wrapped(re.sub(r"@\d+ ", "", signature)), "```",
                  *prose("\n\n".join(filter(None, (comment, behind))))]
        values = [(words_of(value.find("name")), value) for value in of.findall("enumvalue")]
        said = {value: _behind_name(source, line, value) for value, _ in values}
        if any(said.values()):
            lines += ["| | |", "|-|-|", *[f"| `{value}` | {text(said[value])} |" for value, _ in values], ""]
    return "\n".join(lines) + "\n"


def _first_comment(source):
    """The comment of the first declaration that has one."""
    for at, line in enumerate(source.lines):
        if line.startswith("//"):
            end = at
            while end < len(source.lines) and source.lines[end].startswith("//"):
                end += 1
            return _comment(source.lines[at:end])
    return ""


def _behind_name(source, line, value):
    for at in range(line - 1, min(line + 30, len(source.lines))):
        code, mark, words = source.lines[at].partition("//")
        if mark and re.search(rf"\b{re.escape(value)}\b", code):
            return words.strip()
        if code.lstrip().startswith("}"):
            break
    return ""


def _body(source, line):
    """The lines of a concept, from its template to the semicolon."""
    at = line - 1
    while at > 0 and OPENS.match(source.lines[at - 1]):
        at -= 1
    end = line - 1
    while end < len(source.lines) and not source.lines[end].split("//")[0].rstrip().endswith(("};", ";")) or source.lines[end].startswith("  "):
        end += 1
    return source.lines[at:end + 1]


def write_pages(root, folder):
    """docs/reference/cpp: index.md and a page a header. Gives Counts, or None without Doxygen."""
    included = set()
    for page in [*root.glob("docs/*.md"), *root.glob("docs/coming-from/*.md"), root / "README.md", *root.glob("tests/consumer/**/*.c*")]:
        if page.is_file():
            included |= set(re.findall(r"#include <actio/([a-z_/]+\.hp?p?)>", page.read_text(encoding="utf-8")))
    missing = sorted(included - {name for names in HEADERS.values() for name in names})
    if missing:
        raise SystemExit(f"the manual includes headers that tools/site/cpp_api.py does not name: {', '.join(missing)}")
    folder.mkdir(parents=True)
    declared = run_doxygen(root)
    counts = Counts()
    lines = ["# C++ and C", "", "The headers that a program includes, from their own comments. [A system in C++](../../cpp.md) and "
             "[a code that assembles](../../bring-your-own.md) explain them by examples. Units are stated as `[m]`, sizes as `(n)`.", ""]
    if declared is None:
        print("doxygen is not installed: the pages of the C++ reference have no declarations", file=sys.stderr)
        lines += ["**Doxygen was not installed when this site was built**, so the pages have the headers' introductions alone. "
                  "`./actio docs` installs it.", ""]
    for title, names in HEADERS.items():
        lines += [f"## {title}", "", "| header | |", "|-|-|"]
        contract, counts.contract = contract_of(root, title)
        for name in names:
            source = Source(_path(root, name))
            page = _page(root, name, *(declared or ({}, {})), counts, contract)
            slug = re.sub(r"[/.]", "-", name)
            (folder / f"{slug}.md").write_text(page, encoding="utf-8")
            first = " ".join((source.introduction() or _first_comment(source)).split("\n\n")[0].split())
            first = re.split(r"(?<=[a-z)\]][.:]) (?=[A-Z])", first)[0]
            lines.append(f"| [`{name}`]({slug}.md) | {text(first.rstrip(':'))} |")
        lines.append("")
    slugs = [re.sub(r"[/.]", "-", name) for names in HEADERS.values() for name in names]
    lines += ["```{toctree}", ":hidden:", "", *slugs, "```", ""]
    (folder / "index.md").write_text("\n".join(lines), encoding="utf-8")
    return counts if declared else None


if __name__ == "__main__":
    # cpp_api.py ROOT: what has no comment.
    with tempfile.TemporaryDirectory() as out:
        found = write_pages(Path(sys.argv[1]).resolve(), Path(out, "cpp"))
    if found is None:
        sys.exit(77)
    print(f"{found.all} declarations, {len(found.missing)} without a comment")
    print("\n".join(found.missing))

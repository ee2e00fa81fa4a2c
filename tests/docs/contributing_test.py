#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that CONTRIBUTING.md names nothing that is not there.

    contributing_test.py [ROOT]

  * A row of a table, | `file` | `name` `name` |, names a file and names in it.
  * The files of a section are those of its tables and those named elsewhere in it.
  * Each line of a quotation stands in one of the section's files, and so does each other name between backquotes.
  * Each target of make is one of the Makefile's, and each link leads to a file.
"""

import pathlib
import re
import sys
import tempfile

PAGE = "CONTRIBUTING.md"
ROW = re.compile(r"^\| `([^`|]+)` \|(.*)\|$", re.MULTILINE)
QUOTATION = re.compile(r"^ *```\n(.*?)^ *```\n", re.MULTILINE | re.DOTALL)
# Commands, which stand in lines that begin with four spaces.
COMMAND = re.compile(r"^ {4}(\S.*)$", re.MULTILINE)
QUOTED = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#]+)[^)]*\)")
MAKE = re.compile(r"^make ([\w-]+)")


def has(text, name):
    """Whether the name stands in the text, and not only as a part of a longer name."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def section_problems(root, text):
    targets = set(re.findall(r"^([\w-]+):", (root / "Makefile").read_text(), re.MULTILINE))
    rows = ROW.findall(text)
    quotations = QUOTATION.findall(text)
    prose = ROW.sub("", QUOTATION.sub("", text))
    named = QUOTED.findall(prose)
    paths = [path for path, _ in rows] + [name for name in named if "/" in name and " " not in name]
    for path in [*paths, *LINK.findall(prose)]:
        if not (root / path).exists():
            yield f"there is no {path}"
    texts = {path: (root / path).read_text() for path in paths if (root / path).is_file()}
    for path, names in rows:
        if path not in texts:
            continue
        for name in QUOTED.findall(names):
            if not has(texts[path], name):
                yield f"{path} does not name {name}"
    lines = [line for content in texts.values() for line in content.splitlines()]
    for quoted in (line.strip() for quotation in quotations for line in quotation.splitlines()):
        if not any(quoted in line for line in lines):
            yield f"no file of the section has the line: {quoted}"
    for command in [*COMMAND.findall(prose), *named]:
        made = MAKE.match(command)
        if made and made[1] not in targets:
            yield f"the Makefile has no target {made[1]}"
    for name in named:
        if "/" in name or MAKE.match(name):
            continue
        if not any(has(content, name) for content in texts.values()):
            yield f"no file of the section names {name}"


def problems(root, page):
    introduction, *sections = re.split(r"^## ", page, flags=re.MULTILINE)
    # The introduction names no files, so its names are those of this project's practice, not of code.
    yield from (f"introduction: {problem}" for problem in section_problems(root, introduction) if not problem.startswith("no file"))
    for section in sections:
        title, _, text = section.partition("\n")
        if not ROW.search(text):
            yield f"{title}: has no table of files"
        yield from (f"{title}: {problem}" for problem in section_problems(root, text))


def self_test():
    """The checker itself must complain about what it is for."""
    good = "# Page\n\n    make all\n\n## A thing\n\n| `src/a.cpp` | `Good` |\n\nSee `Good`, `make all` and [a](src/a.cpp).\n\n```\nGood();\n```\n"
    changes = [("`src/a.cpp`", "`src/b.cpp`"), ("`Good` |", "`Goo` |"), ("    make all", "    make none"), ("`make all`", "`make none`"),
               ("(src/a.cpp)", "(src/b.cpp)"), ("Good();", "Bad();"), ("See `Good`", "See `Bad`"), ("See `Good`", "See `src/b.cpp`"),
               ("| `src/a.cpp` | `Good` |", "")]
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "src").mkdir()
        (root / "src/a.cpp").write_text("int main() {\n  Good();\n}\n")
        (root / "Makefile").write_text("all:\n")
        assert not list(problems(root, good)), list(problems(root, good))
        for old, new in changes:
            assert list(problems(root, good.replace(old, new, 1))), f"accepted {new!r} for {old!r}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
    self_test()
    page = (root / PAGE).read_text()
    found = list(problems(root, page))
    print("\n".join(f"{PAGE}: {problem}" for problem in found) or f"{len(ROW.findall(page))} files and their names are there")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())

"""Reading: bytes to an XML tree, with no document type, no entities, and a limit on depth and size."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from spatial.errors import FormatRefused
from spatial.read.limits import ReadLimits

Element = ET.Element


def parse(path: Path, limits: ReadLimits) -> Element:
    """Return the root element; tags are local names without their namespace.

    Raises
    ------
    FormatRefused
        ``unsafe_xml`` for any DOCTYPE, whatever it says; ``bad_xml`` for what is not well-formed;
        ``too_complex`` beyond the limits.
    """
    tree = _Tree(limits)
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _doctype
    parser.EntityDeclHandler = _doctype
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.builder.data
    try:
        with path.open("rb") as file:
            parser.ParseFile(file)
    except (expat.ExpatError, UnicodeError, ValueError, LookupError) as error:
        where = f" at line {error.lineno}" if isinstance(error, expat.ExpatError) else ""
        raise FormatRefused(f"The XML is broken{where}; export the file again.", code="bad_xml") from error
    return tree.builder.close()


def _doctype(*_: object) -> NoReturn:
    raise FormatRefused(
        "The XML declares a document type (DOCTYPE), which KML has no use for and which can do harm; remove it.",
        code="unsafe_xml",
    )


class _Tree:
    """Builds the tree and counts."""

    def __init__(self, limits: ReadLimits) -> None:
        self.builder = ET.TreeBuilder()
        self._limits = limits
        self._depth = 0
        self._elements = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        if self._depth > self._limits.nesting:
            raise _too_much("is nested deeper than", self._limits.nesting, "levels")
        if self._elements > self._limits.xml_elements:
            raise _too_much("holds more than", self._limits.xml_elements, "elements")
        self.builder.start(_local(name), {_local(key): value for key, value in attributes.items()})

    def end(self, name: str) -> None:
        self._depth -= 1
        self.builder.end(_local(name))


def _local(name: str) -> str:
    return name.rpartition("}")[2].rpartition(":")[2]


def _too_much(how: str, most: int, what: str) -> FormatRefused:
    return FormatRefused(
        f"The XML {how} {most:,} {what}, the most that is read; send only the site.", code="too_complex"
    )

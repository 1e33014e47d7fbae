"""Addresses as the tax list writes them, made into lines for an envelope and into a key for comparison. Pure text.

Nothing is corrected: a ZIP gets the zero a spreadsheet ate, and that is all. What looks wrong is flagged.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

HOME = frozenset({"", "us", "usa", "u s a", "united states", "united states of america"})
STATES = frozenset(
    {
        *(
            "AL",
            "AK",
            "AZ",
            "AR",
            "CA",
            "CO",
            "CT",
            "DE",
            "FL",
            "GA",
            "HI",
            "ID",
            "IL",
            "IN",
            "IA",
            "KS",
            "KY",
            "LA",
        ),
        *(
            "ME",
            "MD",
            "MA",
            "MI",
            "MN",
            "MS",
            "MO",
            "MT",
            "NE",
            "NV",
            "NH",
            "NJ",
            "NM",
            "NY",
            "NC",
            "ND",
            "OH",
            "OK",
        ),
        *("OR", "PA", "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY"),
        *("DC", "PR", "VI", "GU", "AS", "MP", "AA", "AE", "AP"),
    }
)
_ZIP = re.compile(r"^(\d{5})(?:-(\d{4}))?$")
_CARE = re.compile(r"\s+(?=C/O\b|C/0\b|%\s|ATTN\b|ATTENTION\b|CARE OF\b)", re.IGNORECASE)
_BREAK = re.compile(r"\s*(?:\||\r\n|\r|\n)\s*")
_UNKNOWN = re.compile(
    r"\b(owners?|address|addr|heirs?)\b.*\bunknown\b|\bunknown\b.*\b(owners?|address|addr|heirs?)\b"
    r"|^(unknown|unk|none|n a|na|null|tbd|not known|no owner|no address|not available|to be determined)$"
)


@dataclass(frozen=True, slots=True)
class Addressee:
    """An owner and where the tax list says to write. ``names`` has one or two lines, ``street`` one or more.

    What the tax list does not have is empty and flagged, never filled in.
    """

    names: tuple[str, ...]
    street: tuple[str, ...]
    city: str = ""
    state: str = ""
    zip: str = ""
    country: str = ""

    @property
    def foreign(self) -> bool:
        """Return whether the address names another country."""
        return plain(self.country) not in HOME

    @property
    def named(self) -> bool:
        """Return whether some letter or digit stands in the name; a dash or a blank nobody sees is no name."""
        return any(plain(name) for name in self.names)

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the lines of the envelope; empty when the list has no name or no address."""
        if not self.named or not (self.street or self.city):
            return ()
        place = " ".join(part for part in (self.city, self.state, self.zip) if part)
        country = self.country.upper() if self.foreign else ""
        return tuple(line for line in (*self.names, *self.street, place, country) if line)

    @property
    def flags(self) -> tuple[str, ...]:
        """Return what keeps the letter from being sure to arrive."""
        here = not self.foreign and bool(self.lines)
        reasons = {
            "no_owner_name": not self.named,
            "owner_unknown": any(_UNKNOWN.search(plain(name)) for name in self.names),
            "no_mailing_address": not (self.street or self.city),
            "address_unknown": any(_UNKNOWN.search(plain(line)) for line in self.street),
            "no_street_line": bool(self.city) and not self.street,
            "zip_missing_or_unusual": here and bool(self.city or self.state) and not _ZIP.match(self.zip),
            "state_unusual": here and bool(self.state) and self.state.upper() not in STATES,
            "unusual_characters": any(map(_unusual, (*self.names, *self.street, self.city))),
            "owner_name_seems_cut": any(n.rstrip().endswith("&") for n in self.names[-1:]),
        }
        return tuple(name for name, holds in reasons.items() if holds)


def addressee(
    owner: str | None,
    address: str | None,
    *,
    city: str | None = None,
    state: str | None = None,
    zip_code: str | None = None,
    country: str | None = None,
    co_owner: str | None = None,
) -> Addressee:
    """Return an addressee from the columns of a tax list, any of which may be missing.

    A name or address that holds line breaks or ``|`` is split into lines, and one line with a care-of into two.
    When there is no city, state or ZIP of its own, they are taken from the last lines of the address.

    >>> addressee("LEE A C/O ACME", "PO BOX 9|DOVER|MA|2030").lines
    ('LEE A', 'C/O ACME', 'PO BOX 9', 'DOVER MA 02030')
    """
    names = tuple(n for text in (owner, co_owner) for line in _split(text) for n in _care_apart(line))
    street = [part for line in _split(address) for part in _care_apart(line)]
    home = _clean(country)
    if plain(home).isdigit():
        home = ""
    postal = zip_text(zip_code) if plain(home) in HOME else _clean(zip_code)
    found = Addressee(names, tuple(street), _clean(city), _clean(state), postal, home)
    return found if found.city or found.state or found.zip else _from_street(found)


def _from_street(found: Addressee) -> Addressee:
    """Take ZIP, state and city off the end of a many-lined address, as far as they are there."""
    rest = list(found.street)
    zip_code = zip_text(rest.pop()) if len(rest) > 1 and _ZIP.match(zip_text(rest[-1])) else ""
    state = rest.pop() if zip_code and len(rest) > 1 and rest[-1].upper() in STATES else ""
    city = rest.pop() if state and len(rest) > 1 else ""
    return Addressee(found.names, tuple(rest), city, state, zip_code, found.country)


def zip_text(value: object) -> str:
    """Return a ZIP as text with the zeros a spreadsheet ate; anything else as it was.

    >>> [zip_text(v) for v in ("2030", 2030.0, "020301234", "02030-", "M5H 2M9", None)]
    ['02030', '02030', '02030-1234', '02030', 'M5H 2M9', '']
    """
    text = _clean(value).removesuffix(".0").rstrip("-").strip()
    digits = text.replace("-", "")
    if not digits.isascii() or not digits.isdigit():
        return text
    if len(digits) in (3, 4, 5):
        return digits.zfill(5)
    return f"{digits.zfill(9)[:5]}-{digits[-4:]}" if len(digits) in (7, 8, 9) else text


def plain(text: str) -> str:
    """Return a text for comparison: no case, no punctuation, single blanks. Accents count.

    >>> plain("SMITH, JOHN  & MARY") == plain("Smith John & Mary")
    True
    """
    joined = re.sub(r"['’.]", "", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(re.sub(r"[^\w]|_", " ", joined).split())


def key_of(found: Addressee) -> tuple[str, str, str]:
    """Return (name, address, ZIP of five) under which two rows are one addressee (+4 is looked at separately)."""
    street = plain(" ".join((*found.street, found.city, found.state)))
    country = plain(found.country) if found.foreign else ""
    return (
        plain(" ".join(found.names)),
        f"{street} {country}".strip(),
        found.zip[:5] if not found.foreign else plain(found.zip),
    )


def plus_four(found: Addressee) -> str:
    """Return the +4 of a ZIP; empty when there is none."""
    match = _ZIP.match(found.zip)
    return match.group(2) or "" if match else ""


def _clean(value: object) -> str:
    if value is None or value != value:  # noqa: PLR0124 (not a number)
        return ""
    return " ".join(_visible(str(value)).split())


def _unusual(text: str) -> bool:
    """Tell whether a text has a letter or sign beyond the Latin ones and their punctuation."""
    usual = ("\u0000", "\u024f"), ("\u0300", "\u036f"), ("\u2010", "\u2044"), ("\u2116", "\u2122")
    return not all(any(low <= c <= high for low, high in usual) for c in text)


def _visible(text: str) -> str:
    """Return a text without characters that print nothing but turn, hide or break what is around them."""
    return "".join(c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs", "Cn"))


def _split(text: object) -> Iterable[str]:
    if text is None or text != text:  # noqa: PLR0124 (not a number)
        return []
    return [part for part in (_clean(p) for p in _BREAK.split(str(text))) if part]


def _care_apart(line: str) -> list[str]:
    return [part for part in (p.strip() for p in _CARE.split(line)) if part]

"""The words of a notice rule's law, and how they are read, for every page that shows a list."""

from __future__ import annotations

from collections.abc import Iterator

from app.schemas.abutters import RuleTold


def law_words(rule: RuleTold) -> Iterator[str]:
    """Return the law's words with whose copy they are, and how it is read; what nobody verified says so."""
    held = rule.quote if rule.quoted_from else ""
    if held:
        yield f"“{rule.quote}” ({rule.citation}, as given by {rule.quoted_from})"
    ours = rule.paraphrase or ("" if held else rule.quote)  # a list kept from before has words of no named copy
    if ours:
        yield f"In our words, not those of {rule.citation}, and not verified: {ours}"
    if rule.unverified:
        yield f"Nobody has verified that {rule.citation} says so."
    for p in rule.policies:
        yield f"{p.id}. {p.question} {p.reading}{' (Nobody has verified this.)' if p.unverified else ''}"
    if not rule.policies:
        yield rule.how

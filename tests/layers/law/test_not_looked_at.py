"""What a screening does not look at: named in a file, each with its source or as from memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from layers.law import load_law
from layers.law.beyond import read_not_looked_at
from spatial.errors import Internal


def test_the_matters_of_our_file_are_in_the_book_and_say_what_nobody_verified() -> None:
    named = load_law(None).not_looked_at
    assert named == read_not_looked_at()
    assert any("Army Corps" in one and one.endswith("(from memory, not verified)") for one in named)
    assert all(any(word in one for one in named) for word in ("NPDES", "Title 5", "Chapter 91", "zoning"))


@pytest.mark.parametrize(
    "text",
    ['[[matter]]\nwhat = "x"\ntag = "V"\n', '[[matter]]\nwhat = "x"\ntag = "K"\nsource = "y"\n', "matter = []\n"],
)
def test_a_matter_without_its_source_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "not_looked_at.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Internal, match=r"not_looked_at\.toml"):
        read_not_looked_at(path)

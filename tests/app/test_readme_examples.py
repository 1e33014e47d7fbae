"""The README's own examples, run as they stand on the invented towns."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from app.cli import run
from layers.demo.make import Demo

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def examples() -> list[str]:
    block = re.search(r"<!-- ask -->\n```\nexport METES_DATA=demo-data\n(.+?)\n```", README, flags=re.S)
    assert block, "the README shows no examples after <!-- ask -->"
    return [re.split(r" {3,}", line)[0] for line in block[1].splitlines()]


@pytest.mark.parametrize("line", examples())
def test_an_example_of_the_readme_works(
    line: str, demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "demo-data").symlink_to(demo.data)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("METES_DATA", "demo-data")
    monkeypatch.setenv("METES_DATABASE_URL", f"sqlite:///{tmp_path}/metes.db")
    program, *words = shlex.split(line)
    assert program == "metes"
    assert run(words) == 0, capfd.readouterr().err
    if "--out" in words:
        assert (tmp_path / words[words.index("--out") + 1]).read_bytes().startswith(b"%PDF-")
    else:
        assert capfd.readouterr().out.strip()

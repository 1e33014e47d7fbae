"""The README keeps its word: its settings, commands and layers exist, and all that exist are in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.commands import COMMANDS
from app.settings import Settings
from layers.catalog import load_specs
from layers.law import load_law

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def command(mark: str) -> str:
    found = re.search(rf"<!-- {mark} -->\n```\n(.+)\n```", README)
    assert found, f"the README has no one-line command after <!-- {mark} -->"
    return found[1]


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_has_its_row(name: str) -> None:
    field = Settings.model_fields[name]
    assert f"| `METES_{name.upper()}` |" in README
    assert field.description and field.description in README


def test_no_setting_is_named_that_does_not_exist() -> None:
    named = set(re.findall(r"^\| `METES_(\w+)` \|", README, flags=re.M))
    assert named == {name.upper() for name in Settings.model_fields}


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_shown(name: str) -> None:
    assert re.search(rf"\bmetes {name}\b", README) or name == "serve"


def test_every_layer_named_in_an_example_exists() -> None:
    for name in re.findall(r"^metes layers add (\w+)", README, flags=re.M):
        assert load_specs().spec(name).id == name


def test_the_entries_of_a_town_are_read_as_they_stand(tmp_path: Path) -> None:
    shown = re.search(r"<!-- entries -->\n```toml\n(.+?)\n```", README, flags=re.S)
    assert shown
    (tmp_path / "dover.toml").write_text(shown[1], encoding="utf-8")
    town = load_law(tmp_path).towns["dover"]
    assert [(e.name, e.value) for e in town.entries] == [("list_validity_days", 60.0)]
    assert [(s.district, s.front_ft, s.side_ft, s.rear_ft) for s in town.setbacks] == [("R-1", 40.0, 30.0, 30.0)]


def test_set_up_is_one_line_each_and_needs_only_python_and_pip() -> None:
    for mark, lock in [("demo", "requirements.lock"), ("tests", "requirements-dev.lock")]:
        line = command(mark)
        assert f"--require-hashes -r {lock}" in line
        assert not re.search(r"\b(uv|npm|node|apt|sudo|curl)\b", line)
    assert command("demo").endswith(".venv/bin/metes demo")
    assert ".venv/bin/python -m pytest" in command("tests")


def test_lock_files_name_no_host() -> None:
    for lock in ("requirements.lock", "requirements-dev.lock", "app/web/package-lock.json"):
        text = (Path(__file__).parents[1] / lock).read_text(encoding="utf-8")
        assert '"resolved"' not in text
        assert "://" not in text or lock.endswith(".json"), lock

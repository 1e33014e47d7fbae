"""The command line: results on standard output or in a file, refusals on standard error, three exit codes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from app_service import ON, Said

from app import cli
from app.commands import COMMANDS
from app.settings import Settings
from app.store.keys import Keys
from app.store.records import Records
from app.terminal import put
from layers.demo.make import Demo
from spatial.errors import ParameterRefused


def test_every_command_of_the_list_is_there(metes: Callable[..., Said]) -> None:
    result = metes("--help")
    assert result.code == 0
    assert all(name in result.out for name in COMMANDS)
    for name in COMMANDS:
        assert metes(name, "--help").code == 0


def test_keys_are_made_listed_and_revoked(metes: Callable[..., Said], settings: Settings) -> None:
    made = metes("keys", "create", "--role", "staff", "--name", "Planner")
    secret = made.out.strip()
    key_id = secret.split("_")[1]
    listed = metes("keys", "list")
    assert "Planner" in listed.out
    assert key_id in listed.out
    assert secret not in listed.out
    assert metes("keys", "revoke", key_id).out == f"revoked {key_id} (staff)\n"
    records = Records(settings.records_url)
    assert Keys(records).find(secret) is None
    records.close()


def test_inspect_tells_a_person(metes: Callable[..., Said], demo: Demo) -> None:
    result = metes("inspect", str(demo.data / "samples" / "mill-street-2249.zip"))
    assert result.code == 0
    assert "EPSG:2249" in result.out
    assert "Features: 3" in result.out


def test_the_result_goes_to_a_file_in_one_step(metes: Callable[..., Said], demo: Demo, tmp_path: Path) -> None:
    out = tmp_path / "answer.json"
    result = metes("screen", str(demo.sample(demo.sites[0])), "--on", ON, "--format", "json", "--out", str(out))
    assert (result.code, result.out) == (0, "")
    assert out.read_text().startswith('{"id":')
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_table_a_person_can_read_says_what_is_triggered(metes: Callable[..., Said], demo: Demo) -> None:
    result = metes("screen", str(demo.sample(demo.sites[0])), "--on", ON, "--fact", "stored_fill_cuyd=120")
    assert result.code == 0, result.err
    assert "Grade change" in result.out or "grade" in result.out.lower()
    assert "5,500" in result.out


def test_an_unwritable_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterRefused, match=r"--out x\.json cannot be written"):
        put("x", tmp_path / "no folder" / "x.json")


def test_our_own_fault_is_exit_one_without_a_traceback(
    metes: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("the inside")

    monkeypatch.setattr("app.commands.keys.Service", fails)
    result = metes("keys", "list")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("internal: RuntimeError on our side")
    assert "the inside" not in result.err
    monkeypatch.setenv("METES_DEBUG", "1")
    assert "Traceback" in metes("keys", "list").err


def test_a_wrong_setting_is_named(metes: Callable[..., Said], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METES_READERS", "none")
    result = metes("keys", "list")
    assert (result.code, result.err.split(":")[0]) == (2, "bad_parameter")
    assert "METES_READERS" in result.err


def test_one_command_does_not_load_another() -> None:
    code = (
        "import sys; from app.cli import run; run(['keys', '--help']);"
        "print([n for n in ('uvicorn', 'fastapi', 'pyogrio', 'shapely') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pyogrio" not in done.stdout.splitlines()[-1]
    assert cli.COMMANDS["keys"] == "app.commands.keys"

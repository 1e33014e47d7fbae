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


@pytest.mark.parametrize("words", [[], ["layers"], ["keys"]])
def test_a_bare_group_shows_its_help_and_refuses_nothing(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(words) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert f"Usage: {' '.join(['metes', *words])} [OPTIONS] COMMAND" in said.out
    assert "--install-completion" not in said.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("frobnicate",), "No such command 'frobnicate'; see metes --help."),
        (("layers", "rollback", "wetlands"), "Missing argument 'EDITION'; see metes layers rollback --help."),
        (("screen", "site.kml", "--format", "csv"), "'csv' is not one of 'table', 'json', 'geojson', 'pdf'; see"),
    ],
)
def test_wrong_usage_names_the_page_of_help(metes: Callable[..., Said], words: tuple[str, ...], told: str) -> None:
    result = metes(*words)
    assert (result.code, result.out) == (2, "")
    assert told in result.err
    assert "Value error" not in result.err


def test_what_may_have_been_meant_is_said(metes: Callable[..., Said], demo: Demo) -> None:
    work = str(demo.sample(demo.sites[0]))
    assert "Did you mean bellingham?" in metes("screen", work, "--town", "bellingam").err
    assert "stored_fill_cuyd" in metes("screen", work, "--fact", "stored_fill=90").err
    assert "Did you mean" not in metes("layers", "add", "wetland", work).err  # every layer is in the sentence


def test_facts_are_listed_with_what_they_mean(metes: Callable[..., Said]) -> None:
    told = metes("facts", "stored_fill_cuyd", "approving_board")
    assert "stored_fill_cuyd=NUMBER, cubic yards" in told.out
    assert "One of conservation_commission, planning_board" in told.out
    listed = metes("facts", "--json").json()["facts"]
    assert len(listed) > 20
    assert all(fact["meaning"] for fact in listed)
    unknown = metes("facts", "fill")
    assert unknown.code == 2
    assert "Did you mean" in unknown.err


def test_what_a_lot_waits_for_comes_with_its_option(metes: Callable[..., Said]) -> None:
    asked = metes("setbacks", "F_443712_2965268", "--town", "dover", "--district", "R1").out
    assert "depth of the front yard: --front-ft N" in asked
    assert "front_ft" not in asked.split("NOTES")[0].split("NEEDS AN ANSWER")[1]

from __future__ import annotations

from dataclasses import replace

import pytest

from app.store.abutter_lists import AbutterLists, KeptList, Mailing
from app.store.records import Records
from app.store.tax_lists import TaxLists
from spatial.errors import NotFound, Refused


def kept(list_id: str = "a", status: str = "draft") -> KeptList:
    return KeptList(list_id, "2026-11-30T12:00:00Z", status, "{}", "{}", "[]", "{}")


def test_a_list_is_kept_and_moved_by_one_only(records: Records) -> None:
    lists = AbutterLists(records)
    lists.keep(kept())
    assert lists.get("a") == kept()
    lists.replace(kept(status="reviewed"), was="draft")
    assert lists.get("a").status == "reviewed"
    with pytest.raises(Refused) as refusal:
        lists.replace(kept(status="reviewed"), was="draft")
    assert refusal.value.code == "conflict"
    with pytest.raises(NotFound):
        lists.get("b")


def test_of_two_who_read_the_same_list_the_second_is_told_so(records: Records) -> None:
    lists = AbutterLists(records)
    lists.keep(kept(status="reviewed"))
    lists.replace(replace(kept(status="reviewed"), body='{"by": "one"}'), was="reviewed", read="{}")
    with pytest.raises(Refused) as refusal:
        lists.replace(replace(kept(status="reviewed"), body='{"by": "two"}'), was="reviewed", read="{}")
    assert refusal.value.code == "conflict"
    assert lists.get("a").body == '{"by": "one"}'


def test_the_newest_lists_come_first_with_their_letters_counted(records: Records) -> None:
    lists = AbutterLists(records)
    for list_id in "abc":
        lists.keep(kept(list_id))
    lists.report("b", [Mailing(0, mailed_on="2026-12-01"), Mailing(1, "72"), Mailing(2, mailed_on="2026-12-02")])
    assert [k.id for k in lists.newest(2)] == ["c", "b"]
    assert lists.mailed(["a", "b", "c"]) == {"b": 2}
    assert lists.mailed([]) == {}


def test_ids_cannot_be_guessed(records: Records) -> None:
    made = {AbutterLists(records).new_id() for _ in range(100)}
    assert len(made) == 100
    assert {len(i) for i in made} == {24}


def test_what_became_of_a_letter_is_the_last_that_was_reported(records: Records) -> None:
    lists = AbutterLists(records)
    lists.keep(kept())
    lists.report("a", [Mailing(0, "70", "2026-12-01"), Mailing(2, "72")])
    lists.report("a", [Mailing(0, "71", "2026-12-02", "2026-12-20")])
    assert lists.mailings("a") == {0: Mailing(0, "71", "2026-12-02", "2026-12-20"), 2: Mailing(2, "72")}
    assert lists.mailings("b") == {}


def test_the_ground_of_a_screening_that_is_not_kept(records: Records) -> None:
    with pytest.raises(NotFound, match="no screening 'x'"):
        AbutterLists(records).ground_of("x")


def test_the_newest_tax_list_of_a_town_counts_and_its_mapping_is_kept(records: Records) -> None:
    lists = TaxLists(records)
    assert (lists.newest(25), lists.towns(), lists.mapping(25)) == (None, frozenset(), {})
    for year, owner in ((2025, "OLD"), (2026, "NÚÑEZ")):
        lists.keep(25, [{"owner": owner}], sha256="0", fiscal_year=year, mapping={"owner": "OWNER1"})
    newest = lists.newest(25)
    assert newest is not None
    assert (newest.fiscal_year, newest.rows) == (2026, ({"owner": "NÚÑEZ"},))
    assert lists.towns() == {25}
    assert lists.mapping(25) == {"owner": "OWNER1"}

from __future__ import annotations

import pytest
import sqlalchemy as sa

from app.store.audit import Audit
from app.store.keys import Keys
from app.store.records import Records
from app.store.tables import KeyRow
from spatial.errors import NotFound, ParameterRefused


def test_a_key_is_shown_once_and_found_by_its_secret(records: Records) -> None:
    keys = Keys(records)
    key, secret = keys.create("staff", " Town planner ")
    assert secret.startswith(f"metes_{key.id}_")
    assert (key.role, key.name, key.revoked) == ("staff", "Town planner", None)
    assert keys.find(secret) == key
    assert keys.all() == (key,)


def test_the_secret_is_nowhere_in_the_records(records: Records) -> None:
    _, secret = Keys(records).create("admin", "operator")
    with records.begin() as session:
        row = session.scalars(sa.select(KeyRow)).one()
    assert secret.split("_", 2)[2] not in repr(vars(row))
    assert len(row.digest) == 64


@pytest.mark.parametrize(
    "spoil", [lambda s: s[:-1], lambda s: s + "x", lambda s: "other" + s[5:], lambda _: "metes_"]
)
def test_a_wrong_secret_finds_nothing(records: Records, spoil: object) -> None:
    keys = Keys(records)
    _, secret = keys.create("portal", "portal")
    assert keys.find(spoil(secret)) is None  # type: ignore[operator]


@pytest.mark.parametrize("token", ["", "_", "__", "metes_0_0", "metes", "ü" * 500])
def test_nonsense_finds_nothing(records: Records, token: str) -> None:
    assert Keys(records).find(token) is None


def test_a_revoked_key_is_dead_and_stays_listed(records: Records) -> None:
    keys = Keys(records)
    key, secret = keys.create("assessor", "assessor")
    first = keys.revoke(key.id)
    assert first.revoked is not None
    assert keys.revoke(key.id).revoked == first.revoked
    assert keys.find(secret) is None
    assert [k.id for k in keys.all()] == [key.id]


def test_unknown_role_name_and_id_are_refused(records: Records) -> None:
    keys = Keys(records)
    with pytest.raises(ParameterRefused) as refused:
        keys.create("owner", "x")
    assert refused.value.suggestions == ("portal", "staff", "assessor", "admin")
    with pytest.raises(ParameterRefused, match="--name"):
        keys.create("staff", "  ")
    with pytest.raises(NotFound, match="no key 'abc'"):
        keys.revoke("abc")
    assert keys.all() == ()


def test_the_audit_log_tells_who_did_what_newest_first(records: Records) -> None:
    audit = Audit(records)
    audit.write("abutters.list", ["F_1_2", "F_3_4"], key_id="k1", reason="Notice of Intent, 5 Main St")
    audit.write("screening.delete", ["abc"])
    newest, oldest = audit.recent()
    assert (newest.action, newest.subject, newest.key_id) == ("screening.delete", ("abc",), None)
    assert (oldest.subject, oldest.key_id, oldest.reason) == (
        ("F_1_2", "F_3_4"),
        "k1",
        "Notice of Intent, 5 Main St",
    )
    assert [e.action for e in audit.recent(1)] == ["screening.delete"]

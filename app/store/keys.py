"""API keys: shown once, kept as a digest, revocable. A key is ``metes_<id>_<secret>``."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Literal, get_args

from sqlalchemy import select

from app.store.records import Records, moment
from app.store.tables import KeyRow
from spatial.errors import NotFound, ParameterRefused

Role = Literal["portal", "staff", "assessor", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it may be told: never its secret."""

    id: str
    name: str
    role: Role
    created: str
    revoked: str | None


class Keys:
    """The keys in the records."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def create(self, role: str, name: str) -> tuple[Key, str]:
        """Make a key and return it with its secret text, which cannot be had again.

        Raises
        ------
        ParameterRefused
            ``bad_parameter`` for a role that does not exist or an empty name.
        """
        if role not in ROLES:
            raise ParameterRefused(
                f"There is no role {role!r}; choose one of {', '.join(ROLES)}.", suggestions=ROLES
            )
        if not name.strip():
            raise ParameterRefused("A key needs a name that says whose it is; give --name.")
        key_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
        row = KeyRow(
            id=key_id, name=name.strip(), role=role, digest=_digest(secret), created=moment(), revoked=None
        )
        with self._records.begin() as session:
            session.add(row)
        return _told(row), f"metes_{key_id}_{secret}"

    def find(self, token: str) -> Key | None:
        """Return the key a token stands for; None when it is wrong, unknown or revoked."""
        prefix, _, rest = token.partition("_")
        key_id, _, secret = rest.partition("_")
        with self._records.begin() as session:
            row = session.get(KeyRow, key_id)
        known = row.digest if row is not None else _digest("")
        right = hmac.compare_digest(known, _digest(secret)) and prefix == "metes"
        return _told(row) if row is not None and right and row.revoked is None else None

    def all(self) -> tuple[Key, ...]:
        """Return every key ever made, oldest first, revoked ones too."""
        with self._records.begin() as session:
            return tuple(_told(row) for row in session.scalars(select(KeyRow).order_by(KeyRow.created, KeyRow.id)))

    def revoke(self, key_id: str) -> Key:
        """Take a key back for ever; the first revocation's moment stays.

        Raises
        ------
        NotFound
            When there is no such key.
        """
        with self._records.begin() as session:
            row = session.get(KeyRow, key_id)
            if row is None:
                raise NotFound(f"There is no key {key_id!r}; `metes keys list` shows them.")
            row.revoked = row.revoked or moment()
            return _told(row)


def _digest(secret: str) -> str:
    """Return the SHA-256 of a secret of 256 random bits; no slow hash is needed for those."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _told(row: KeyRow) -> Key:
    role: Role = next(role for role in ROLES if role == row.role)
    return Key(id=row.id, name=row.name, role=role, created=row.created, revoked=row.revoked)

"""The tables of the records. Moments are ISO text in UTC, so that they sort and read alike on every database."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, LargeBinary, MetaData, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

NAMES = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """Root of all tables; constraints have names, so that migrations can speak of them."""

    metadata = MetaData(naming_convention=NAMES)


class ScreeningRow(Base):
    """A screening as answered: its body word for word, what was asked, and where it lies (EPSG:26986, metres)."""

    __tablename__ = "screenings"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    id: Mapped[str] = mapped_column(unique=True)
    created: Mapped[str] = mapped_column(index=True)
    body: Mapped[str] = mapped_column(Text)
    question: Mapped[str] = mapped_column(Text)
    input_sha256: Mapped[str] = mapped_column(index=True)
    drawing: Mapped[str] = mapped_column(Text)
    area_wkb: Mapped[bytes] = mapped_column(LargeBinary)
    area_sqft: Mapped[float]
    min_x: Mapped[float]
    min_y: Mapped[float]
    max_x: Mapped[float]
    max_y: Mapped[float]
    common_plan: Mapped[str | None]
    loc_ids: Mapped[str] = mapped_column(Text)
    parts: Mapped[list[InputPart]] = relationship(
        cascade="all, delete-orphan", order_by="InputPart.position", passive_deletes=True
    )


class InputPart(Base):
    """One file of the original input of a screening."""

    __tablename__ = "input_parts"

    screening_id: Mapped[str] = mapped_column(ForeignKey("screenings.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    content: Mapped[bytes] = mapped_column(LargeBinary)


class KeyRow(Base):
    """An API key: only a digest of its secret is kept."""

    __tablename__ = "keys"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    role: Mapped[str]
    digest: Mapped[str]
    created: Mapped[str]
    revoked: Mapped[str | None]


class AuditRow(Base):
    """Who did what to which thing, why and when. Never an owner's name."""

    __tablename__ = "audit"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    at: Mapped[str]
    key_id: Mapped[str | None]
    action: Mapped[str]
    subject: Mapped[str] = mapped_column(Text)
    reason: Mapped[str | None] = mapped_column(Text)

    __table_args__ = (Index("ix_audit_at", "at"),)


class AbutterListRow(Base):
    """An abutters' list as it was made: frozen body, what was asked, its shapes, where it stands in its life."""

    __tablename__ = "abutter_lists"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    id: Mapped[str] = mapped_column(unique=True)
    created: Mapped[str] = mapped_column(index=True)
    status: Mapped[str]
    body: Mapped[str] = mapped_column(Text)
    question: Mapped[str] = mapped_column(Text)
    drawing: Mapped[str] = mapped_column(Text)
    life: Mapped[str] = mapped_column(Text)


class MailingRow(Base):
    """What became of one letter of an abutters' list; ``position`` counts its letters from 0."""

    __tablename__ = "abutter_mailings"

    list_id: Mapped[str] = mapped_column(ForeignKey("abutter_lists.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    article_number: Mapped[str | None]
    mailed_on: Mapped[str | None]
    returned_on: Mapped[str | None]


class TaxListRow(Base):
    """A town's own tax list, its rows packed, with the mapping of columns that is kept for the next one."""

    __tablename__ = "tax_lists"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    town_id: Mapped[int] = mapped_column(index=True)
    received: Mapped[str]
    sha256: Mapped[str]
    fiscal_year: Mapped[int | None]
    mapping: Mapped[str] = mapped_column(Text)
    rows: Mapped[bytes] = mapped_column(LargeBinary)

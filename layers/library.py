"""The library: every layer, the law, the towns and the parcels of one data folder, as they stand now.

``snapshot()`` is cheap and immutable; it looks at the pointers, opens only what changed, and never makes a request
wait for another's reopening. An edition that cannot be opened is absent with the reason, never an exception for the
whole service. GDAL is not loaded here: files are read in a process of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from layers.catalog import Catalog, load_specs
from layers.changes import Changes, changes_of
from layers.editions import (
    Withdrawn,
    aside,
    checked_name,
    edition_names,
    install,
    pointers,
    roll_back,
    withdraw,
    withdrawn,
)
from layers.ingest.child import make_in_child
from layers.ingest.request import AddRequest, Order
from layers.law import load_law
from layers.lot_areas import FOLDER as LOTS
from layers.lot_areas import KeptLots
from layers.manifest import Manifest, read_manifest
from layers.parcels import ParcelBook, ParcelPart
from layers.snapshot import LayerStatus, Opened, PartStatus, Snapshot, open_edition, rasters_of
from layers.spec import Spec
from layers.towns import TownBook, load_towns
from layers.verify import Check, checks, refuse_unless_still_whole, refuse_unless_whole
from spatial.errors import MetesError, ParameterRefused
from spatial.index import PARCELS, LayerStack
from spatial.model import LayerFrame
from spatial.rules.book import LawBook

__all__ = ["AddRequest", "Check", "LayerStatus", "Library", "Manifest", "PartStatus", "Snapshot"]

Stamp = tuple[tuple[str, str, tuple[int, int, int]], ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    stamp: Stamp
    opened: Mapping[tuple[str, str], Opened]
    lots: KeptLots
    snapshot: Snapshot


class Library:
    """The layers of a data folder.

    Parameters
    ----------
    data
        The folder; made when something is first added. One that is empty gives layers that are all absent.
    catalog
        The specifications; None: our own.
    """

    def __init__(self, data: Path, catalog: Catalog | None = None) -> None:
        self.data = data
        self.catalog = catalog or load_specs()
        self._lock = Lock()
        self._held: _Held | None = None

    @property
    def _root(self) -> Path:
        return self.data / "layers"

    @property
    def _towns(self) -> Path:
        return self.data / "towns"

    # ------------------------------------------------------------------------------------------ looking

    def snapshot(self) -> Snapshot:
        """Return everything as it stands; the same object while nothing changed on disk.

        A thread that finds another one reopening gets the snapshot before, not a wait. The first call opens
        everything; it raises when our own or staff's law or town files are wrong.
        """
        held, stamp = self._held, self._stamp()
        if held is not None and held.stamp == stamp:
            return held.snapshot
        if not self._lock.acquire(blocking=held is None) and held is not None:
            return held.snapshot
        try:
            return self._reopen().snapshot
        finally:
            self._lock.release()

    def frame(self, layer_id: str) -> tuple[LayerFrame, ...]:
        """Return the opened editions of a layer as they stand, one a part; raises ``layer_unknown``."""
        return self.snapshot().frame(self.catalog.spec(layer_id).id)

    def editions(self, layer_id: str) -> tuple[Manifest, ...]:
        """Return the manifests of every kept edition of a layer, newest first; damaged ones are left out."""
        layer = self._root / self.catalog.spec(layer_id).id
        folders = [p / name for p in sorted(layer.glob("*")) for name in edition_names(p)]
        found = [m for m in map(_manifest_or_none, folders) if m is not None]
        return tuple(sorted(found, key=lambda m: (m.retrieved, m.edition), reverse=True))

    def changes(self, layer_id: str) -> tuple[Changes, ...]:
        """Return what each kept edition of a layer changed against the one before it, the newest first."""
        spec = self.catalog.spec(layer_id)
        return changes_of(self._root / spec.id, spec)

    def current(self, layer_id: str) -> tuple[Manifest, ...]:
        """Return the manifests of the editions in force, one a part."""
        parts = self.snapshot().status(layer_id).parts
        return tuple(p.manifest for p in parts if p.manifest is not None)

    def verify(self, layer_id: str | None = None) -> tuple[Check, ...]:
        """Return every check of every kept edition, of one layer or of all: re-hashed, re-counted, re-measured."""
        wanted = {self.catalog.spec(layer_id).id} if layer_id is not None else set(self.catalog.specs)
        found: list[Check] = []
        for part in sorted(self._root.glob("*/*")):
            if part.parent.name in wanted:
                found += [c for name in edition_names(part) for c in checks(part / name)]
        return (*found, *(self._lot_checks() if PARCELS in wanted else ()))

    def _lot_checks(self) -> Iterator[Check]:
        held = self._held if self.snapshot() else None
        for pair, wrong in held.lots.checks(held.snapshot.stack) if held is not None else ():
            detail = f"areas shared with {pair.layer[0].layer_id}: {wrong}" if wrong else ""
            yield Check(PARCELS, pair.parcels.part, pair.parcels.edition, "lots", ok=not wrong, detail=detail)

    # ------------------------------------------------------------------------------------------ changing

    def add(self, request: AddRequest) -> Manifest:
        """Make an edition of a file, check it, and make it current; return its manifest.

        Raises
        ------
        Refused
            The file cannot be this layer, in a sentence; the edition before stays in force.
        """
        return self.add_all([request])[0]

    def add_all(self, requests: Sequence[AddRequest]) -> tuple[Manifest, ...]:
        """Make editions of several files in one reading process; all are made and checked before any is current.

        A file cannot lean on another of the same call (parcels on towns, say): add that one before.
        """
        with ExitStack() as stack:
            orders = [self._order(request, stack.enter_context(aside(self._root))) for request in requests]
            made = make_in_child(orders)
            for order in orders:
                refuse_unless_whole(order.into)
            for order, manifest in zip(orders, made, strict=True):
                install(self._root, order.into, manifest)
        self._measure_lots()
        return made

    def _order(self, request: AddRequest, folder: Path) -> Order:
        self.catalog.spec(request.layer_id)
        if not request.path.exists():
            raise ParameterRefused(f"There is no file '{request.path.name}' to add.", file=request.path.name)
        for name, what in ((request.edition, "an edition"), (request.part, "a part")):
            if name is not None:
                checked_name(name, what)
        return Order(request=request, data=self.data, into=folder)

    def rollback(self, layer_id: str, edition: str) -> Manifest:
        """Make a kept edition (``name`` or ``part/name``) current again; return its manifest.

        Raises ``NotFound`` when it is not kept and ``Unavailable`` when it no longer stands its checks.
        """
        spec = self.catalog.spec(layer_id)
        folder = roll_back(self._root, spec.id, edition, check=lambda f: refuse_unless_still_whole(f, spec))
        self._measure_lots()
        return read_manifest(folder)

    def withdraw(self, layer_id: str, part: str) -> Withdrawn:
        """Take a part of a layer out of force; return what was in force, kept to be rolled back to.

        Questions on its ground are open from then on. Raises ``NotFound`` when no such part is in force.
        """
        taken = withdraw(self._root, self.catalog.spec(layer_id).id, part)
        self._measure_lots()
        return taken

    def refresh(self) -> Snapshot:
        """Return a snapshot that surely holds what this process changed."""
        with self._lock:
            return self._reopen().snapshot

    def _measure_lots(self) -> None:
        """Keep what lots share with layers, of the editions now in force, and open it."""
        with self._lock:
            held = self._reopen()
            with suppress(OSError):  # a disk that takes no more costs time, never the edition now in force
                held.lots.measure(held.snapshot.stack)
            self._reopen()

    # ------------------------------------------------------------------------------------------ opening

    def _stamp(self) -> Stamp:
        """Return what the disk shows of the pointers and of staff's town files, without opening any."""
        layers = tuple((p.layer_id, p.part, p.stamp) for p in pointers(self._root))
        files = (*sorted(self._towns.glob("*.toml")), *sorted((self.data / LOTS).glob("*.npy")))
        return layers + tuple(_file_stamps(files))

    def _reopen(self) -> _Held:
        held, stamp = self._held, self._stamp()
        if held is not None and held.stamp == stamp:
            return held
        before = held.opened if held is not None else {}
        opened = {}
        for pointer in pointers(self._root):
            if pointer.layer_id in self.catalog.specs:
                key = pointer.layer_id, pointer.part
                known = before.get(key)
                opened[key] = known if known is not None and known.pointer == pointer else open_edition(pointer)
        manifests = [o.status.manifest for o in opened.values() if o.frame is not None and o.status.manifest]
        lots = KeptLots.open(self.data, manifests, self.catalog.themes, held.lots if held is not None else None)
        self._held = _Held(stamp, opened, lots, self._gathered(list(opened.values()), lots, held))
        return self._held

    def _gathered(self, opened: Sequence[Opened], lots: KeptLots, held: _Held | None) -> Snapshot:
        out = withdrawn(self._root)
        layers = tuple(_status(spec, opened, out) for spec in self.catalog.specs.values())
        frames = {s.spec.id: _frames(s.spec, opened) for s in layers}
        absent = {s.spec.id: s.absent for s in layers if s.absent is not None}
        law, towns, failures = self._law_and_towns(held)
        return Snapshot(
            stack=LayerStack.build(
                [f for found in frames.values() for f in found],
                self.catalog.themes,
                absent,
                previous=held.snapshot.stack if held is not None else None,
                lot_areas=tuple(lots.held.values()),
            ),
            law=law,
            towns=towns,
            parcels=ParcelBook(_parcel_parts(opened)),
            layers=layers,
            frames=frames,
            failures=failures,
            rasters=rasters_of(opened),
        )

    def _law_and_towns(self, held: _Held | None) -> tuple[LawBook, TownBook, tuple[str, ...]]:
        """Return law and towns; when staff's files went wrong while we run, the last good ones and the sentence."""
        try:
            return load_law(self._towns), load_towns(self._towns), ()
        except MetesError as error:
            if held is None:
                raise
            return held.snapshot.law, held.snapshot.towns, (error.detail,)


def _frames(spec: Spec, opened: Sequence[Opened]) -> tuple[LayerFrame, ...]:
    return tuple(o.frame for o in opened if o.frame is not None and o.pointer.layer_id == spec.id)


def _parcel_parts(opened: Sequence[Opened]) -> list[ParcelPart]:
    mine = (o for o in opened if o.pointer.layer_id == "parcels")
    return [ParcelPart(o.frame, o.folder) for o in mine if o.frame is not None and o.folder is not None]


def _status(spec: Spec, opened: Sequence[Opened], out: Sequence[tuple[str, Withdrawn]]) -> LayerStatus:
    parts = tuple(o.status for o in opened if o.pointer.layer_id == spec.id)
    return LayerStatus(spec, parts, tuple(one for layer_id, one in out if layer_id == spec.id))


def _manifest_or_none(folder: Path) -> Manifest | None:
    try:
        return read_manifest(folder)
    except (OSError, ValueError):
        return None


def _file_stamps(paths: Sequence[Path]) -> Iterator[tuple[str, str, tuple[int, int, int]]]:
    for path in paths:
        with suppress(FileNotFoundError):
            stat = path.stat()
            yield path.parent.name, path.name, (stat.st_mtime_ns, stat.st_ino, stat.st_size)

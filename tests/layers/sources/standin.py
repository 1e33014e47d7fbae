"""A small server on loopback that speaks ArcGIS REST as the agencies do, and misbehaves when told."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass
class Service:
    """Rows by object id and the faults to show. ``fail_first`` requests are answered with ``status``.

    ``others`` are further layers and tables of the server, by their number. The files of a server are its first's.
    """

    rows: dict[int, dict[str, Any]]
    limit: int = 100
    faults: set[str] = field(default_factory=set)
    fail_first: int = 0
    status: int = 500
    hidden: set[int] = field(default_factory=set)
    asked: list[dict[str, str]] = field(default_factory=list)
    elsewhere: str = ""
    columns: tuple[str, ...] = ("NAME",)
    files: dict[str, bytes] = field(default_factory=dict)
    others: dict[str, Service] = field(default_factory=dict)
    geometry: str | None = "esriGeometryPolygon"
    slow_s: float = 0.0


def square(oid: int, size: float = 10.0) -> dict[str, Any]:
    """Return a row: a square lot in EPSG:26986, its north-west corner set off by its id."""
    x, y = 217_000.0 + 20 * (oid % 50), 888_000.0 + 20 * (oid // 50)
    ring = [[x, y], [x, y + size], [x + size, y + size], [x + size, y], [x, y]]
    return {"attributes": {"OBJECTID": oid, "NAME": f"lot {oid}"}, "geometry": {"rings": [ring]}}


def rows(count: int) -> dict[int, dict[str, Any]]:
    """Return rows with gaps between their ids, as real services have."""
    return {oid: square(oid) for oid in range(7, 7 + 3 * count, 3)}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    service: Service

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        number = parts.path.removesuffix("/query").rpartition("/")[2]
        service = self.service = type(self).service.others.get(number, type(self).service)
        time.sleep(service.slow_s)
        query = {key: value[0] for key, value in parse_qs(parts.query).items()}
        service.asked.append({"path": parts.path, **query})
        if service.fail_first > 0:
            service.fail_first -= 1
            return self._fail()
        if parts.path in service.files:
            return self._send(service.files[parts.path])
        if service.elsewhere:
            return self._redirect(service.elsewhere)
        return self._answer(parts.path, query)

    def _fail(self) -> None:
        service = self.service
        if "hang" in service.faults:
            time.sleep(1.5)
        if "cut" in service.faults:
            self.send_response(200)
            self.send_header("content-length", "1000")
            self.end_headers()
            self.wfile.write(b'{"features": [')
            self.close_connection = True
            return
        self._send(b"not today", service.status)

    def _answer(self, path: str, query: dict[str, str]) -> None:
        if not path.endswith("/query"):
            return self._json(self._description())
        if "error in 200" in self.service.faults:
            return self._json({"error": {"code": 400, "message": "Invalid query parameters"}})
        return self._json(self._query(query))

    def _description(self) -> dict[str, Any]:
        names = [("OBJECTID", "esriFieldTypeOID")]
        names += [(column, "esriFieldTypeString") for column in self.service.columns]
        if "changed fields" in self.service.faults:
            names.append(("FLD_ZONE", "esriFieldTypeString"))
        fields = [{"name": name, "type": kind} for name, kind in names]
        return {
            "name": "lots",
            "geometryType": self.service.geometry,
            "maxRecordCount": self.service.limit,
            "fields": fields,
        }

    def _query(self, query: dict[str, str]) -> dict[str, Any]:
        service = self.service
        low, high = _range(query["where"])
        chosen = [service.rows[oid] for oid in sorted(service.rows) if low <= oid <= high]
        if query.get("returnIdsOnly") == "true":
            ids = [row["attributes"]["OBJECTID"] for row in chosen]
            return {"objectIdFieldName": "OBJECTID", "objectIds": self._ids(ids) or None}
        if query.get("returnCountOnly") == "true":
            return {"count": len(chosen) + ("wrong count" in service.faults)}
        return self._page([row for row in chosen if row["attributes"]["OBJECTID"] not in service.hidden])

    def _ids(self, ids: list[int]) -> list[int]:
        return [*ids, ids[0]] if "duplicate ids" in self.service.faults else ids

    def _page(self, chosen: list[dict[str, Any]]) -> dict[str, Any]:
        service = self.service
        most = 7 if "short pages" in service.faults else service.limit
        wkid = 102100 if "other system" in service.faults else 26986
        page: dict[str, Any] = {"features": chosen[:most], "spatialReference": {"wkid": wkid}}
        if "duplicate rows" in service.faults and len(page["features"]) > 1:
            page["features"][1] = page["features"][0]
        if "other rows" in service.faults:
            page["features"][-1] = square(999_999)
        if "curves" in service.faults:
            page["features"][0] = {**page["features"][0], "geometry": {"curveRings": []}}
        if "null geometry" in service.faults:
            page["features"][0] = {**page["features"][0], "geometry": None}
        if len(chosen) > most and "no exceededTransferLimit" not in service.faults:
            page["exceededTransferLimit"] = True
        if "grows" in service.faults:
            service.rows[500_000] = square(500_000)
        return page

    def _json(self, answer: dict[str, Any]) -> None:
        self._send(json.dumps(answer).encode())

    def _redirect(self, to: str) -> None:
        self.send_response(302)
        self.send_header("location", to)
        self.send_header("content-length", "0")
        self.end_headers()

    def _send(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _range(where: str) -> tuple[int, int]:
    low, high = re.search(r">= (\d+)", where), re.search(r"<= (\d+)", where)
    return (int(low[1]) if low else 0, int(high[1]) if high else 10**9)


@contextmanager
def running(service: Service) -> Iterator[str]:
    """Yield the address of the service's only layer while it runs."""
    handler = type("Handler", (_Handler,), {"service": service})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/arcgis/rest/services/lots/FeatureServer/0"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""HTTP routes, one module a thing. Routes parse, ask a use case and write; they decide nothing.

``ROUTERS`` is the one visible list: name of a module here, which holds ``router``, and the prefix it is put under.
A module under ``/v1`` writes its paths without the prefix (``@router.get("/parcels")``).
"""

from __future__ import annotations

ROUTERS: dict[str, str] = {
    "health": "",
    "screenings": "/v1",
    "inspections": "/v1",
    "parcels": "/v1",
    "layers": "/v1",
    "features": "/v1",
    "rescreen": "/v1",
    "bylaws": "/v1",
    "facts": "/v1",
    "abutters": "/v1",
    "setbacks": "/v1",
    "trees": "/v1",
    "pages": "",
}
"""Module of ``app.routes`` holding ``router`` → prefix."""

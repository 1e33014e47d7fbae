"""The parameters in an address: those its route has, each given once."""

from __future__ import annotations

from fastapi import Depends, Request
from fastapi.routing import APIRoute

from spatial.errors import ParameterRefused


def _only_its_own(request: Request) -> None:
    """Refuse a parameter the route does not have, or one given twice with different values.

    A box or a distance with its name misspelt would be answered as if none had been asked.
    """
    route = request.scope.get("route")
    if not isinstance(route, APIRoute):
        return
    known = sorted(field.alias for field in route.dependant.query_params)
    for name in request.query_params:
        values = request.query_params.getlist(name)
        if name not in known:
            there_are = f"there are {', '.join(known)}" if known else "this address takes none"
            raise ParameterRefused(f"There is no parameter {name[:60]!r}; {there_are}.")
        if len(set(values)) > 1:
            raise ParameterRefused(f"{name!r} was given {len(values)} times with different values; give it once.")


only_its_own = Depends(_only_its_own)
"""For the ``dependencies`` of a route or router."""

"""From a page of features to the page after it: the links beside the features."""

from __future__ import annotations

from starlette.datastructures import URL

from app.items import Page
from app.schemas.features import Link

GEOJSON = "application/geo+json"


def page_links(address: URL, page: Page) -> list[Link]:
    """Return ``self`` and, unless this page is the last, ``next``: what was asked, from where this page ends."""
    links = [Link(href=str(address), rel="self", type=GEOJSON)]
    if page.next_offset is not None:
        after = address.include_query_params(offset=page.next_offset, editions=page.editions)
        links.append(Link(href=str(after), rel="next", type=GEOJSON))
    return links

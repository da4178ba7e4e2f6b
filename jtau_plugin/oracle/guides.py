"""Which guide leads through which domain."""

from __future__ import annotations

from jtau_plugin.oracle.book import Book
from jtau_plugin.oracle.guide import Guide
from jtau_plugin.oracle.retail import RetailGuide
from jtau_plugin.overlays.catalog import Catalog

_GUIDES: dict[str, type[Guide]] = {"retail": RetailGuide}


def guide_for(catalog: Catalog, book: Book) -> Guide:
    """Return the guide of the overlay's domain; any domain has at least the general one."""
    return _GUIDES.get(catalog.domain, Guide)(catalog, book)

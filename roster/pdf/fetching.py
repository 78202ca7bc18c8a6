"""What the renderer may open: the files in styles/, and nothing else in the world."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from weasyprint.urls import URLFetcher, URLFetcherResponse

BUNDLED = Path(__file__).resolve().parent / "styles"
SCHEME = "bundled"
TYPES = {".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png"}


class RefusedAddressError(ValueError):
    """Something on a sheet asked for a file or an address that is not bundled. WeasyPrint leaves it out and says so."""


class BundledFetcher(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
    """Opens `bundled:name` and refuses every other address: files, hosts, data."""

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
        parts = urlsplit(url)
        path = (BUNDLED / unquote(parts.path)).resolve()
        kind = TYPES.get(path.suffix)
        if parts.scheme != SCHEME or kind is None or path.parent != BUNDLED or not path.is_file():
            raise RefusedAddressError(f"A sheet may not open {url[:200]}")
        return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": kind})

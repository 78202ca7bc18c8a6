"""Remove all costs from a roster file, so that recomputed totals cannot be copies."""

import io
import zipfile

from lxml import etree

from catalogue.formats.battlescribe.zip_archive import is_shadow


def without_costs(content: bytes) -> bytes:
    """Return the bytes of a `.ros` or `.rosz` without `<costs>`."""
    if not content.startswith(b"PK"):
        return _stripped(content)
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            if not (info.is_dir() or is_shadow(info.filename)):
                new.writestr(info.filename, _stripped(old.read(info)))
    return buffer.getvalue()


def _stripped(text: bytes) -> bytes:
    root = etree.fromstring(text.removeprefix(b"\xef\xbb\xbf").lstrip())
    for costs in list(root.iter("{*}costs")):
        parent = costs.getparent()
        if parent is not None:
            parent.remove(costs)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True)

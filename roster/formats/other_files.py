"""Recognise uploaded files of other programs that contain no list."""

from io import BytesIO
from zipfile import BadZipFile, ZipFile

PDF, DOCUMENT, SHEET, PICTURE, WEB_PAGE, PACKED = (
    "pdf-file",
    "document-file",
    "sheet-file",
    "picture-file",
    "web-page",
    "packed-file",
)
_BEGINNINGS = {
    b"%PDF": PDF,
    b"{\\rtf": DOCUMENT,
    b"\x89PNG": PICTURE,
    b"\xff\xd8\xff": PICTURE,
    b"GIF8": PICTURE,
    b"II*\x00": PICTURE,
    b"MM\x00*": PICTURE,
    b"Rar!": PACKED,
    b"7z\xbc\xaf": PACKED,
    b"\x1f\x8b": PACKED,
}
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_WORKBOOKS = tuple(name.encode("utf-16-le") for name in ("Workbook", "Book"))
_FOLDERS = {"word/": DOCUMENT, "ppt/": DOCUMENT, "Index/": DOCUMENT, "xl/": SHEET}
_ENDINGS = """
.7z .doc .docx .gif .gz .heic .htm .html .jpeg .jpg .numbers .ods .odt .pages .pdf .png .ppt .pptx .rar .rtf .tif .tiff
.webp .xls .xlsx
"""
OTHER_ENDINGS = frozenset(_ENDINGS.split())


def recognise_other_file(data: bytes) -> str:
    """Return the code of a file that cannot hold a list, or "".

    >>> recognise_other_file(b"%PDF-1.7"), recognise_other_file(b"<!DOCTYPE html><p>"), recognise_other_file(b"list: 1")
    ('pdf-file', 'web-page', '')
    """
    if data.startswith(b"PK"):
        return _recognise_archive(data)
    if data.startswith(_OLD_OFFICE):
        return SHEET if any(name in data for name in _WORKBOOKS) else DOCUMENT
    if (data[:4] == b"RIFF" and data[8:12] == b"WEBP") or data[4:12] in (b"ftypheic", b"ftypmif1", b"ftypheix"):
        return PICTURE
    if data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return WEB_PAGE
    return next((code for beginning, code in _BEGINNINGS.items() if data.startswith(beginning)), "")


def _recognise_archive(data: bytes) -> str:
    # OpenDocument files begin with their type, uncompressed.
    if data[30:38] == b"mimetype" and b"opendocument" in data[38:100]:
        return SHEET if b"spreadsheet" in data[38:120] else DOCUMENT
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (BadZipFile, ValueError, EOFError, NotImplementedError):
        return ""
    if "[Content_Types].xml" not in names and "Index/Document.iwa" not in names:
        return ""
    return next((code for folder, code in _FOLDERS.items() if any(name.startswith(folder) for name in names)), DOCUMENT)

"""Pictures in memory, as phones and attackers send them."""

import struct
import zlib
from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

PLACE = b"52 degrees north"
"""Stands in the metadata of `take_photo`."""
ORIENTATION, COPYRIGHT, GPS, LATITUDE_REF, LATITUDE = 0x0112, 0x8298, 0x8825, 1, 2
TURNED_LEFT = 6


def draw(width: int = 300, height: int = 200, mode: str = "RGB") -> Image.Image:
    """Draw a picture whose left half is red and whose right half is blue."""
    picture = Image.new(mode, (width, height), "red")
    picture.paste(Image.new(mode, (width // 2, height), "blue"), (width - width // 2, 0))
    return picture


def write(picture: Image.Image, form: str = "JPEG", **options: Any) -> bytes:
    file = BytesIO()
    picture.save(file, form, **options)
    return file.getvalue()


def take_photo(width: int = 300, height: int = 200, orientation: int = TURNED_LEFT) -> bytes:
    """Return a JPEG with orientation, position, comment and a profile, as a phone writes it."""
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    exif[COPYRIGHT] = PLACE.decode()
    exif.get_ifd(GPS)[LATITUDE_REF] = "N"
    exif.get_ifd(GPS)[LATITUDE] = (52.0, 30.0, 0.0)
    return write(draw(width, height), exif=exif, comment=PLACE, xmp=b"<x>" + PLACE + b"</x>")


def send(content: bytes, name: str = "photo.jpg", kind: str = "image/jpeg") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, kind)


def claim_size(width: int, height: int) -> bytes:
    """Return a PNG of a few bytes that says it is this large."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b"")
    )

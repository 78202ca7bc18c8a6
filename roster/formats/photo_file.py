"""Read untrusted photos, and write them small and without metadata."""

from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import IO

from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from catalogue.definitions.numbers import Number

READABLE = ("JPEG", "PNG", "WEBP")
MOST_BYTES = 20 * 1024 * 1024
MOST_PIXELS = 89_000_000
"""Of a JPEG, which is decoded at an eighth of its size if it is large. Pillow warns of more."""
MOST_DECODED_PIXELS = 30_000_000
"""Of other files, which are decoded in full: 120 MB of memory."""
LARGE, SMALL = 1200, 400
"""Pixels of the longer side."""
QUALITY = 82

_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis")
"""Of HEIC and AVIF files, which phones store."""
_SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))


class UnreadablePhotoError(ValueError):
    """Has a `code`: photo-unreadable, photo-heic, photo-animated, photo-bytes or photo-pixels."""

    def __init__(self, code: str, measured: Number = 0, allowed: Number = 0) -> None:
        super().__init__(code)
        self.code = code
        self.measured = measured
        self.allowed = allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoFile:
    """A JPEG in two sizes. `width` and `height` are of `large`, `content_hash` is its SHA-256."""

    large: bytes
    small: bytes
    width: int
    height: int

    @property
    def content_hash(self) -> str:
        return sha256(self.large).hexdigest()


def read_photo(file: IO[bytes]) -> PhotoFile:
    """Decode a JPEG, PNG or WebP file within bounds, turn it upright and re-encode it. Raises UnreadablePhotoError.

    Only the pixels are kept: no position, camera or comment, and nothing that follows the picture.
    """
    size = file.seek(0, 2)
    file.seek(0)
    if size > MOST_BYTES:
        raise UnreadablePhotoError("photo-bytes", size, MOST_BYTES)
    start = file.read(12)
    file.seek(0)
    if start[4:8] == b"ftyp" and start[8:12] in _BRANDS:
        raise UnreadablePhotoError("photo-heic")
    try:
        with Image.open(file, formats=READABLE) as image:
            _check_bounds(image)
            picture = _decode(image)
    except UnidentifiedImageError as error:
        raise UnreadablePhotoError("photo-unreadable") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise UnreadablePhotoError("photo-pixels", 0, MOST_PIXELS) from error
    # Damaged files end in any of these, depending on the decoder.
    except (OSError, SyntaxError, ValueError, TypeError, EOFError, IndexError, KeyError, OverflowError) as error:
        if isinstance(error, UnreadablePhotoError):
            raise
        raise UnreadablePhotoError("photo-unreadable") from error

    large = _write_jpeg(picture)
    width, height = picture.size
    picture.thumbnail((SMALL, SMALL), Image.Resampling.LANCZOS)
    return PhotoFile(large=large, small=_write_jpeg(picture), width=width, height=height)


def _check_bounds(image: Image.Image) -> None:
    pixels = image.width * image.height
    is_jpeg = image.format in ("JPEG", "MPO")
    most = MOST_PIXELS if is_jpeg else MOST_DECODED_PIXELS
    if pixels > most:
        raise UnreadablePhotoError("photo-pixels", pixels, most)
    # Phones store depth or brightness as a second picture in a JPEG, so a second picture there is not an animation.
    if not is_jpeg and getattr(image, "is_animated", False):
        raise UnreadablePhotoError("photo-animated")


def _decode(image: Image.Image) -> Image.Image:
    # Lets a JPEG be decoded at a fraction of its size.
    image.thumbnail((LARGE, LARGE), Image.Resampling.LANCZOS)
    upright = ImageOps.exif_transpose(image)
    plain = Image.new("RGB", upright.size, "white")
    if upright.has_transparency_data:
        layer = upright.convert("RGBA")
        plain.paste(layer, mask=layer.getchannel("A"))
    else:
        plain.paste(_convert_to_srgb(upright))
    return plain


def _convert_to_srgb(image: Image.Image) -> Image.Image:
    """Keep the colours of phones, which look dull without their profile."""
    profile = image.info.get("icc_profile")
    if profile and image.mode in ("RGB", "CMYK"):
        # A picture with a wrong profile is shown without it, as browsers do.
        with suppress(ImageCms.PyCMSError, OSError):
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
            converted = ImageCms.profileToProfile(image, source, _SRGB, outputMode="RGB")
            if converted is not None:
                return converted
    return image.convert("RGB")


def _write_jpeg(picture: Image.Image) -> bytes:
    written = BytesIO()
    picture.save(written, "JPEG", quality=QUALITY, optimize=True, progressive=True)
    return written.getvalue()

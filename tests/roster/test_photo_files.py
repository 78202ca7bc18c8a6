"""Files of photos: what is read, what is refused, and what is left of their metadata."""

from io import BytesIO

import pytest
from PIL import Image

from roster.formats.photo_file import LARGE, MOST_BYTES, SMALL, PhotoFile, UnreadablePhotoError, read_photo
from tests.roster.photo_files import PLACE, claim_size, draw, take_photo, write

HEIC = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(200)
AVIF = b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif" + bytes(200)
TWO_FRAMES = {"save_all": True, "append_images": [draw(mode="RGB").transpose(Image.Transpose.ROTATE_180)]}
REFUSED = {
    "empty": (b"", "photo-unreadable"),
    "text": (b"not a photo", "photo-unreadable"),
    "page": (b"<!doctype html><script>alert(1)</script>", "photo-unreadable"),
    "vector": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "photo-unreadable"),
    "gif": (write(draw(), "GIF"), "photo-unreadable"),
    "tiff": (write(draw(), "TIFF"), "photo-unreadable"),
    "jpeg cut short": (take_photo()[:-700], "photo-unreadable"),
    "png cut short": (write(draw(), "PNG")[:-60], "photo-unreadable"),
    "webp cut short": (write(draw(), "WEBP")[:-60], "photo-unreadable"),
    "only the start of a jpeg": (b"\xff\xd8\xff\xe0", "photo-unreadable"),
    "damaged png": (claim_size(300, 300), "photo-unreadable"),
    "heic": (HEIC, "photo-heic"),
    "avif": (AVIF, "photo-heic"),
    "moving png": (write(draw(), "PNG", **TWO_FRAMES), "photo-animated"),
    "moving webp": (write(draw(), "WEBP", **TWO_FRAMES), "photo-animated"),
    "bomb": (claim_size(50_000, 50_000), "photo-pixels"),
    "bomb below the library's limit": (claim_size(6_000, 6_000), "photo-pixels"),
    "too many bytes": (take_photo() + bytes(MOST_BYTES), "photo-bytes"),
}


def read(content: bytes) -> PhotoFile:
    return read_photo(BytesIO(content))


def opened(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content))


@pytest.mark.parametrize(("content", "code"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(UnreadablePhotoError) as refused:
        read(content)
    assert refused.value.code == code


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_what_is_read_becomes_jpeg_in_two_sizes(form: str) -> None:
    photo = read(write(draw(3000, 1500), form))
    assert (photo.width, photo.height) == (LARGE, LARGE // 2)
    assert [(opened(one).format, opened(one).size) for one in (photo.large, photo.small)] == [
        ("JPEG", (LARGE, LARGE // 2)),
        ("JPEG", (SMALL, SMALL // 2)),
    ]


def test_small_photos_are_not_enlarged() -> None:
    photo = read(write(draw(30, 20)))
    assert opened(photo.large).size == opened(photo.small).size == (30, 20)


def test_thin_photos_keep_a_pixel() -> None:
    assert opened(read(write(draw(20_000, 2))).small).size == (SMALL, 1)


def test_photos_are_turned_upright() -> None:
    photo = read(take_photo(300, 200))
    assert (photo.width, photo.height) == (200, 300)
    red, _green, blue = opened(photo.large).convert("RGB").getpixel((100, 20))
    assert red > 200 > 50 > blue, "the left half is on top"


def test_no_metadata_is_left() -> None:
    sent = take_photo()
    assert PLACE in sent
    photo = read(sent)
    for content in (photo.large, photo.small):
        assert PLACE not in content
        picture = opened(content)
        assert not picture.getexif()
        assert set(picture.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density", "progressive", "progression"}


@pytest.mark.parametrize("form", ["PNG", "WEBP"])
def test_no_metadata_of_other_files_is_left(form: str) -> None:
    exif = Image.Exif()
    exif[0x8298] = PLACE.decode()
    sent = write(draw(), form, exif=exif)
    assert PLACE in sent
    assert PLACE not in read(sent).large


def test_what_follows_a_photo_is_left_out() -> None:
    for tail in (b"<script>alert(1)</script>", b"PK\x03\x04" + bytes(40)):
        assert tail not in read(take_photo() + tail).large


def test_a_second_picture_in_a_jpeg_is_left_out() -> None:
    # Phones add the depth or the brightness of a photo.
    photo = read(write(draw(), "MPO", save_all=True, append_images=[draw(64, 64)]))
    assert (photo.width, photo.height) == (300, 200)
    assert opened(photo.large).format == "JPEG"


def test_transparent_pictures_are_set_on_white() -> None:
    picture = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    assert opened(read(write(picture, "PNG")).large).getpixel((20, 20)) == (255, 255, 255)


@pytest.mark.parametrize("mode", ["L", "1", "P", "CMYK", "LA", "RGBA", "I;16"])
def test_pictures_of_every_kind_are_read(mode: str) -> None:
    form = "JPEG" if mode == "CMYK" else "PNG"
    picture = Image.new(mode, (40, 40)) if mode in ("I;16", "LA") else draw(40, 40).convert(mode)
    assert opened(read(write(picture, form)).large).mode == "RGB"


def test_a_wrong_profile_is_no_reason_to_refuse() -> None:
    assert read(write(draw(), icc_profile=b"no profile")).width == 300


def test_equal_photos_are_equal_bytes() -> None:
    assert read(take_photo()) == read(take_photo())

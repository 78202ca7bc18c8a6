"""Limits on what a reader accepts: generous for every public data set, small enough for any machine."""

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True)
class ReadLimits:
    """Limits on what is read at once.

    `ratio` is how many bytes one packed byte may become; small members (`ratio_free` bytes) are spared, because a short
    run of blanks packs better than any real file. `marks` bounds the elements and attributes of one file: `<` and `=`,
    `total_marks` those of all files (the largest public game has 2.3 million);
    `values` those of one in JSON, which take more memory. `attributes` bounds those of one element: listing them takes
    the square of their number. `ident` is how many characters of an id are kept: it is stored beside each thing that it
    names.
    """

    archive_bytes: int = 128 * MIB
    directory_bytes: int = 4 * MIB
    members: int = 20_000
    files: int = 1_000
    file_bytes: int = 32 * MIB
    total_bytes: int = 192 * MIB
    ratio: int = 100
    ratio_free: int = MIB
    marks: int = 2_000_000
    total_marks: int = 2_800_000
    values: int = 1_000_000
    attributes: int = 200
    depth: int = 64
    link_depth: int = 64
    ident: int = 200


LIMITS = ReadLimits()

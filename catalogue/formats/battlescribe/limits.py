"""Limit input: more than any public data set needs, but less than overloads a small machine."""

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True)
class ReadLimits:
    """Limits on one reading.

    - `ratio` bounds how many bytes a packed byte may unpack to. Members of up to `ratio_free` bytes are exempt, because
      short runs of blanks pack well.
    - `marks` bounds the elements and attributes of a file (`<` and `=`), `total_marks` of all files (the largest public
      game has 2.3 million), `values` JSON values, which take more memory.
    - `attributes` bounds the attributes of an element, because listing them takes quadratic time.
    - Longer ids than `ident` are cut.
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

"""BattleScribe's and New Recruit's data files: `.gst .cat .gstz .catz .zip .bsr`, or a folder of them."""

from catalogue.formats.battlescribe.reader import ReadResult, read_bytes, read_path

__all__ = ["ReadResult", "read_bytes", "read_path"]

"""BattleScribe's and New Recruit's data files: `.gst .cat .gstz .catz .json .zip .bsr`, or a folder of them."""

from catalogue.formats.battlescribe.reader import ReadGame, ReadResult, read_bytes, read_path

__all__ = ["ReadGame", "ReadResult", "read_bytes", "read_path"]

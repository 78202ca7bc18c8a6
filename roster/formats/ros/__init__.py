"""Read and write BattleScribe's roster files, `.ros` and packed `.rosz`."""

from catalogue.formats.battlescribe.errors import ReadError
from roster.formats.ros.read import MadeWith, RosterFile, StoredCost, read_ros
from roster.formats.ros.write import write_ros, write_rosz

__all__ = ["MadeWith", "ReadError", "RosterFile", "StoredCost", "read_ros", "write_ros", "write_rosz"]

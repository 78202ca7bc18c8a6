"""How much memory a process took at most.

What `resource.getrusage` says of a process begins with the size of the one that started it.
"""

import re
from pathlib import Path

KIB = 1024
MIB = 1024 * KIB
_MOST = re.compile(r"^VmHWM:\s*(\d+) kB$", re.MULTILINE)


def read_peak_memory() -> int:
    """Return the most memory that this process had at once, in bytes, as Linux knows it."""
    most = _MOST.search(Path("/proc/self/status").read_text(encoding="utf-8"))
    assert most, "this system does not say how much memory a process took"
    return int(most[1]) * KIB

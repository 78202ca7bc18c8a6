"""The peak memory of a process.

`resource.getrusage` would include the size of the parent process.
"""

import re
from pathlib import Path

KIB = 1024
MIB = 1024 * KIB
_MOST = re.compile(r"^VmHWM:\s*(\d+) kB$", re.MULTILINE)


def read_peak_memory() -> int:
    """Return the peak memory of this process in bytes, from Linux."""
    most = _MOST.search(Path("/proc/self/status").read_text(encoding="utf-8"))
    assert most, "this system does not say how much memory a process took"
    return int(most[1]) * KIB

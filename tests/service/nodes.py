"""Two web nodes over one database and one bucket, with nginx in front as in docs/scale.md.

The nodes are servers on ports of 127.0.0.1, each with a folder of its own.
"""

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.service.nginx import read_block, reload_nginx, serve_nginx
from tests.service.object_storage import Bucket
from tests.service.postgres_servers import choose_port
from tests.service.site import Site, open_site

Address = tuple[str, int]
UPSTREAM = "upstream armybuilder {"
ANSWERED_BY = "Node"
"""The header in which nginx names the node."""
NAMES = """
import json
from roster.models import RosterRevision
from roster.services.evaluation import decode_tree
names = {}
for revision in RosterRevision.objects.select_related("roster").order_by("roster", "number"):
    names.setdefault(revision.roster.public_id, []).append(decode_tree(revision.document).name)
print(json.dumps(names))
"""


class Crash(NamedTuple):
    """When a node began to die, and when its port no longer answered."""

    begin: float
    end: float

    def has_hit(self, begin: float, end: float) -> bool:
        """Return whether a request was in flight at that moment."""
        return begin <= self.end and end >= self.begin


@contextmanager
def open_nodes(folder: Path, bucket: Bucket, database_url: str = "") -> Iterator[list[Site]]:
    """Yield two nodes that are not started, over a new database or the empty one at `database_url`."""
    with ExitStack() as stack:
        first = stack.enter_context(open_site(folder / "first", database_url=database_url))
        database = first.environment["DATABASE_URL"] or f"sqlite:///{first.folder / 'armybuilder.sqlite3'}"
        (folder / "second").mkdir()
        second = Site(folder / "second", database)
        stack.callback(second.kill)
        for node in (first, second):
            node.environment |= {
                "DJANGO_SETTINGS_MODULE": "tests.service.several_machines",
                "SECRET_KEY": "of all nodes",
                **bucket.environment,
            }
        yield [first, second]


class Proxy:
    """nginx, which sends requests to nodes in turn."""

    def __init__(self, folder: Path, nodes: list[Site]) -> None:
        self.folder, self.nodes = folder, nodes
        self.address: Address = ("127.0.0.1", choose_port())

    def write_blocks(self, drained: Site | None = None) -> str:
        blocks = read_block(UPSTREAM)
        for node, documented in zip(self.nodes, ("10.0.0.11:8000", "10.0.0.12:8000"), strict=True):
            assert documented in blocks
            state = " down" if node is drained else ""
            blocks = re.sub(rf"{documented}(.*);", rf"127.0.0.1:{node.address[1]}\1{state};", blocks)
        begin = (
            f"server {{\nlisten {self.address[0]}:{self.address[1]};\nproxy_set_header Host $host;\n"
            f"add_header {ANSWERED_BY} $upstream_addr always;"
        )
        return blocks.replace("server {", begin)

    def drain(self, node: Site | None) -> None:
        """Send new requests to the other nodes only, or again to all."""
        reload_nginx(self.folder, self.write_blocks(node))


@contextmanager
def serve_proxy(folder: Path, nodes: list[Site]) -> Iterator[Proxy]:
    proxy = Proxy(folder, nodes)
    with serve_nginx(folder, proxy.write_blocks()):
        yield proxy


def kill_node(node: Site) -> Crash:
    begin = time.monotonic()
    node.kill()
    return Crash(begin, time.monotonic())


def read_names(node: Site) -> dict[str, list[str]]:
    """Return the names that each list has had, by public id."""
    names: Any = node.run_code(NAMES)
    return dict(names)

"""What the solver is asked once the page stands: which lines are grey, and what fills a list or makes it legal."""

from collections.abc import Iterator

from tests.bench.benchmark import Figure, benchmark, measure
from tests.bench.builder_edit import Builder
from tests.bench.fifteen_units import DETACHMENTS
from tests.bench.serving import Visitor, serve_app


@benchmark("outlook")
def look_ahead_and_fill() -> Iterator[Figure]:
    with serve_app() as address:
        builder = Builder(Visitor(address))
        builder.look()
        for units in DETACHMENTS:
            detachment = builder.add_detachment()
            for unit in units[:-2]:
                builder.edit(do="add-unit", node=detachment, entry=unit)
        builder.look()

        def ask(path: str) -> None:
            query = f"{path}revision={builder.revision}&into={detachment}"
            status, _ = builder.visitor.get(f"{builder.address}{query}", HX_Request="true")
            assert status == 200

        ask("outlook/?")  # the first one in a process loads the solver
        yield Figure("greying out the picker of 11 units", measure(lambda: ask("outlook/?"), times=20), at_most=150)
        yield Figure("filling them, judged", measure(lambda: ask("ways/?kind=fill&"), times=20), at_most=500)
        yield Figure("repairing them, judged", measure(lambda: ask("ways/?kind=repair&"), times=20), at_most=500)

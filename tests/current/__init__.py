"""Lists of current games: each is built to a legal list with the verbs of pages, then broken by ten single changes.

A list is a YAML file in the folder of its game. Names are those of the data; ids are written in `because`, and
elsewhere only if a name is not unique.

    archive: wh40k-10e-v10.6.0.zip      an archive of community data in ARMYBUILDER_SHARED/bsdata
    system: Warhammer 40,000 10th Edition
    faction: Necrons                    the name of the catalogue
    limit: 2000                         of the main cost, or a number by the name of each cost
    name: Two courts
    known for: what the list shows of its game
    steps: [...]                        how it is built: see below
    costs: {pts: 1995}                  the total by the names of costs
    unjudged: []                        codes of the notes on what is not judged; none by default
    breaks:
      - break: a fourth unit of Warriors    what is tried; unique in the list
        because:                            what the files of the archive say: see `facts.py`
          - {file: Necrons.cat, constraint: 1f2e-..., type: max, value: 3, scope: roster}
        change: {unit: Necron Warriors}     a step, or several that depend on each other
        wrong:                              all violations afterwards; only the given fields are compared
          - {rule: maximum, on: Necron Warriors, measured: 4, allowed: 3}
      - break: a third unit of Warriors     the legal counterpart
        because: [...]
        change: {unit: Necron Warriors}
        legal: true
        costs: {pts: 1870}                  optional for any break

A fact in `because` names a file, the kind of an element with its id, and some of its attributes. An element without an
id is named by the nearest id around it, such as `modifier: of ID`. `within` is the nearest id around any element; it
distinguishes equal ids. A violation about a number must be of one of the named constraints.

`wrong` has the fields `rule` (a code of docs/rules.md), `on` (the name of the entry or force), `counts` (the name of
what is counted), `measured`, `allowed` and `constraint`.

| step | does |
|---|---|
| `force: NAME` | adds a force; `of`: another catalogue, `in`: the force that it goes into |
| `unit: NAME` | adds a unit `in` a force, the first one of the list if none is named |
| `take: NAME`, `at: PATH` | takes `number` (default 1) of an entry in a selection or force |
| `choose: NAME`, `at: PATH`, `from: GROUP` | takes it instead of others of the group; without a name drops all |
| `number: N`, `at: PATH` | sets the number of a selection |
| `remove: PATH`, `duplicate: PATH`, `split: PATH` | a force or unit, a unit, one of several equal selections |
| `move: PATH`, `position: N` | moves it among its neighbours |
| `attach: PATH`, `to: PATH` | attaches a leader to a unit; `detach: PATH` undoes it |
| `limit: N` | sets the limit of `cost`, by default the main one |

`as` labels what a step creates, for use in paths. `take` and `choose` tell equal names apart by the group `from` and by
`id`, a part of the entry's id; `stack: true` does the same in all equal selections. A PATH goes inwards by labels or
names: `warriors > Necron Warrior #2` is the second Necron Warrior.

Lists cost 1,000 to 2,000 points. A kill team has no points: its list has as many operatives as the data demands.

`python -m tests.current FILE --offers PATH` builds a list, prints its verdict and what is offered at a path.
"""

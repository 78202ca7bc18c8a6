"""Lists of today's games: each is built by the verbs of the pages to a legal one, and broken by ten single changes.

A list is a YAML file in the folder of its game. Names are those of the data; ids are written in `because`, and
elsewhere only if a name is not unique.

    archive: wh40k-10e-v10.6.0.zip      an archive of community data in ARMYBUILDER_SHARED/bsdata
    system: Warhammer 40,000 10th Edition
    faction: Necrons                    the name of the catalogue
    limit: 2000                         of the costs that lists are sized by; or a number by the name of each cost
    name: Two courts
    known for: what the list shows of its game
    steps: [...]                        how it is built: see below
    costs: {pts: 1995}                  what it comes to, by the names of costs
    unjudged: []                        codes of the remarks on what is not judged; none unless they are given
    breaks:
      - break: a fourth unit of Warriors    what is tried, once in the list
        because:                            what the files of the archive say: see `facts.py`
          - {file: Necrons.cat, constraint: 1f2e-..., type: max, value: 3, scope: roster}
        change: {unit: Necron Warriors}     a step, or several if none of them can be made without the others
        wrong:                              all that is wrong afterwards: only the fields that are given are compared
          - {rule: maximum, on: Necron Warriors, measured: 4, allowed: 3}
      - break: a third unit of Warriors     the other side of the border
        because: [...]
        change: {unit: Necron Warriors}
        legal: true
        costs: {pts: 1870}                  may be given for any break

A fact in `because` names a file, the kind of an element with its id (or `modifier: of ID` and so on for what has none:
the nearest id around it), and attributes that it has; `within` is the nearest id around any element, which tells equal
ids apart. A rule about a number has to be one of the constraints named.
`wrong` has the fields `rule` (a code of docs/rules.md), `on` (the name of the entry or force), `counts` (the name of
what is counted), `measured`, `allowed` and `constraint`.

| step | does |
|---|---|
| `force: NAME` | adds a force; `of`: another catalogue, `in`: the force that it goes into |
| `unit: NAME` | adds a unit `in` a force, the first one of the list if none is named |
| `take: NAME`, `at: PATH` | brings an entry to `number` (1 if none is given) in a selection or force |
| `choose: NAME`, `at: PATH`, `from: GROUP` | takes it and drops what else is taken from the group; no name: drops all |
| `number: N`, `at: PATH` | sets how many there are of a selection |
| `remove: PATH`, `duplicate: PATH`, `split: PATH` | a force or unit, a unit, one of several equal selections |
| `move: PATH`, `position: N` | puts it there among what is beside it |
| `attach: PATH`, `to: PATH` | has a leader lead a unit; `detach: PATH` takes that back |
| `limit: N` | sets the limit, of `cost` if that is another than lists are sized by |

`as` gives what a step creates a label, by which paths find it. `take` and `choose` narrow down equal names by the group
that they are `from` and by `id`, a part of the entry's id; with `stack: true` the same is done in all equal selections.
A PATH leads inwards by labels or names, such as `warriors > Necron Warrior #2`: the second of that name.

`python -m tests.current FILE --offers PATH` builds a list, prints its verdict and what is offered at a path.
"""

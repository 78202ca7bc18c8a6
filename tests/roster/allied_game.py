"""A tiny invented game of several catalogues whose forces may be in lists of each other.

A list of the Pond may have Guests of the Heath in its Flock, never of the River, and a Flight of any faction next to
it. Guests of the Heath may have Strays of the Pond or the River. The Woods are a library.
"""

from catalogue.models import PackVersion
from tests.catalogue.battlescribe_files import GAME, packed
from tests.catalogue.import_bytes import import_bytes

CATALOGUE = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<catalogue id="{id}" name="{name}" revision="1" battleScribeVersion="2.03" library="{library}"
           gameSystemId="sys" gameSystemRevision="3" xmlns="http://www.battlescribe.net/schema/catalogueSchema">
{inside}
</catalogue>"""
BIRD = """<selectionEntry id="{id}" name="{name}" type="unit" import="true">
  <categoryLinks><categoryLink id="{id}-bird" targetId="bird" primary="true"/></categoryLinks>
  <costs><cost name="crumbs" typeId="pts" value="{points}"/></costs></selectionEntry>"""
SLOT = """<categoryLinks><categoryLink id="{id}-slot" name="Bird" targetId="bird" hidden="false"/></categoryLinks>"""


def one_at_most(ident: str) -> str:
    return f"""<constraints><constraint id="{ident}" type="max" value="1" field="forces" scope="roster"
      shared="true"/></constraints>"""


def shown_for(own: tuple[str, ...], outer: str) -> str:
    """Return a modifier that shows a force if its catalogue is in `own` and the catalogue around it is `outer`."""
    conditions = "".join(
        f'<condition type="instanceOf" value="1" field="selections" scope="primary-catalogue" childId="{one}"'
        ' shared="true"/>'
        for one in own
    )
    return f"""<modifiers><modifier type="set" field="hidden" value="false"><conditionGroups>
      <conditionGroup type="and"><conditions>
        <condition type="instanceOf" value="1" field="selections" scope="parent" childId="{outer}" shared="true"/>
      </conditions><conditionGroups><conditionGroup type="or"><conditions>{conditions}</conditions></conditionGroup>
      </conditionGroups></conditionGroup></conditionGroups></modifier></modifiers>"""


FORCES = f"""<forceEntries>
 <forceEntry id="flock" name="Flock" hidden="false">{one_at_most("flock-1")}{SLOT.format(id="flock")}
  <forceEntries>
   <forceEntry id="guests" name="Guests" hidden="true">{shown_for(("heath",), "pond")}{one_at_most("guests-1")}
    {SLOT.format(id="guests")}
    <forceEntries>
     <forceEntry id="strays" name="Strays" hidden="true">{shown_for(("pond", "river"), "heath")}
      {SLOT.format(id="strays")}</forceEntry>
    </forceEntries></forceEntry>
  </forceEntries></forceEntry>
 <forceEntry id="flight" name="Flight" hidden="false">{SLOT.format(id="flight")}</forceEntry>
 <forceEntry id="secret" name="Secret" hidden="true"/>
</forceEntries>"""


def catalogue(ident: str, name: str, *birds: tuple[str, str, int], library: bool = False, inside: str = "") -> str:
    entries = "".join(BIRD.format(id=bird, name=called, points=points) for bird, called, points in birds)
    body = f"<selectionEntries>{entries}</selectionEntries>{inside}"
    return CATALOGUE.format(id=ident, name=name, library=str(library).lower(), inside=body)


def game_files(*, without: str = "") -> dict[str, str | bytes]:
    """Return the files of the game, optionally `without` one of its catalogues."""
    files: dict[str, str | bytes] = {
        "ducks.gst": GAME % FORCES,
        "pond.cat": catalogue("pond", "The Pond", ("duck", "Duck", 10)),
        "heath.cat": catalogue("heath", "The Heath", ("grouse", "Grouse", 15), ("snipe", "Snipe", 5)),
        "river.cat": catalogue(
            "river",
            "The River",
            ("heron", "Heron", 30),
            inside=f"""<forceEntries><forceEntry id="shoal" name="Shoal watch" hidden="false">
              {SLOT.format(id="shoal")}</forceEntry></forceEntries>""",
        ),
        "woods.cat": catalogue("woods", "The Woods", ("owl", "Owl", 20), library=True),
    }
    files.pop(f"{without}.cat", None)
    return files


def install(*, without: str = "") -> PackVersion:
    version = import_bytes("ducks.zip", packed(game_files(without=without))).version
    assert version is not None
    return version

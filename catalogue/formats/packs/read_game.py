"""pack.yaml: what the game is, its words, and how armies are organised."""

import re

from catalogue.definitions.citations import Publication
from catalogue.definitions.numbers import Number
from catalogue.formats.packs.desk import Desk, read_id
from catalogue.formats.packs.forms import SILENT, CostForm, Form
from catalogue.formats.packs.items import Fields, Item, MisreadError, did_you_mean
from catalogue.formats.packs.pack import Pack, Preset, Ruleset
from catalogue.formats.packs.read_infos import add_name, read_names, read_tables
from catalogue.formats.packs.read_rules import read_detachment, read_rules, read_text
from catalogue.formats.packs.words import slug

BUILT_IN = (
    "size min",
    "size max",
    "option once",
    "option limit",
    "choose one",
    "choose several",
    "choose at least",
    "swap",
    "footnote",
    "only when",
    "not with",
    "needs",
    "unique",
    "limit per roster",
    "limit per detachment",
    "units in selection",
    "add-on quantity",
    "add-on one kind",
    "add-on size",
    "deck size",
    "deck limit",
    "card copies",
    "card needs",
)
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def read_words(fields: Fields, desk: Desk) -> tuple[Publication, ...]:
    """The words that everything else uses: books, factions, types, keywords, costs, tables. Read before all else."""
    books = _books(fields.need("books"), desk)
    if "cite" in fields:
        desk = desk.inside(desk.cite(fields))
    for key, into in (("factions", desk.forms.factions), ("keywords", desk.forms.keywords)):
        if item := fields.get(key):
            read_names(item, into)
    _types(fields.need("types"), desk)
    for item in fields.each("costs"):
        _cost(item, desk)
    tables = fields.get("profiles")
    if tables:
        read_tables(tables, desk)
    return books


def read_organisation(fields: Fields, desk: Desk) -> None:
    """Rules, detachments, and the words of the rules that the loader makes itself."""
    if item := fields.get("built in rules"):
        for key, value in item.pairs():
            name = key.text().lower()
            if name in BUILT_IN:
                desk.forms.texts[name] = read_text(value, desk)
            else:
                key.wrong("unknown-key", f"There is no built-in rule “{name}”.", did_you_mean(name, BUILT_IN))
    desk.forms.rules += read_rules(fields.each("rules"), desk, "detachment")
    if item := fields.get("one faction"):
        desk.forms.one_faction = read_text(item, desk), item.where
    desk.forms.detachments += [read_detachment(item, desk) for item in fields.each("detachments")]
    for item in fields.each("unchecked"):
        _unchecked(item, desk)


def read_pack_line(fields: Fields, desk: Desk, books: tuple[Publication, ...], notice: str) -> Pack:
    """Name, edition, version, colours, notice, presets and rulesets."""
    identity = fields.need("pack", "Add `pack:` with an id, as `pack: my-game`.")
    own = identity.read(read_id, "") if identity else ""
    name, version = fields.need("name"), fields.need("version")
    accent = fields.get("accent")
    light, dark = _accent(accent) if accent else ("", "")
    return Pack(
        id=own,
        game_id=fields.text("game", own),
        game=name.text() if name else "",
        edition=fields.text("edition"),
        version=version.text() if version else "",
        title=fields.text("title"),
        language=fields.text("language", "en"),
        about=fields.text("about"),
        publisher=fields.text("publisher"),
        notice=notice,
        accent=light,
        accent_dark=dark or light,
        example=fields.flag("example"),
        unofficial=fields.flag("unofficial", True),
        books=books,
        presets=tuple(_preset(item, desk) for item in fields.each("presets")),
        rulesets=tuple(_ruleset(item, desk) for item in fields.each("rulesets")),
    )


def _books(item: Item | None, desk: Desk) -> tuple[Publication, ...]:
    """`books:`, each `id: Name` or a mapping; a community's data file is named by repository and commit."""
    found = []
    for key, value in item.pairs() if item else ():
        own = key.text()
        publication = _book(own, value, desk) if value.is_map else Publication(id=own, name=value.text())
        desk.books.names[own] = publication.name
        found.append(publication)
    return tuple(found)


def _book(own: str, item: Item, desk: Desk) -> Publication:
    fields = item.fields(f"The book “{own}”")
    community = fields.text("community")
    if community:
        desk.books.whole.add(own)
        revision = fields.text("revision")
        name = f"{community}, revision {revision}" if revision else community
    else:
        given = fields.need("name")
        name = given.text() if given else own
    publication = Publication(
        id=own,
        name=name,
        short_name=fields.text("short"),
        publisher=fields.text("publisher"),
        date=fields.text("date"),
        url=fields.text("url"),
    )
    fields.close()
    return publication


def _types(item: Item | None, desk: Desk) -> None:
    """`types:` in the order in which units are listed; `inside: yes` marks types placed in other units."""
    if item is None:
        return
    if not item.is_map:
        read_names(item, desk.forms.types)
        return
    for key, value in item.pairs():
        name = value.text() if value.is_text else _long_type(key, value, desk)
        add_name(desk.forms.types, Form(id=slug(key.text()), name=name or key.text(), where=key.where), key)


def _long_type(key: Item, value: Item, desk: Desk) -> str:
    fields = value.fields(f"The type “{key.text()}”")
    if fields.flag("inside"):
        desk.forms.addon_types.add(slug(key.text()))
    name = fields.text("name")
    fields.close()
    return name


def _cost(item: Item, desk: Desk) -> None:
    """A kind of cost: `points`, or a mapping with the limits to offer and the rule that the limit is."""
    if item.is_text:
        own = slug(item.text())
        desk.forms.costs[own] = CostForm(id=own, name=item.text(), where=item.where)
        return
    fields = item.fields("The cost")
    own, name = desk.identity(fields, "cost")
    limit, default = fields.get("limit rule"), fields.get("default")
    desk.forms.costs[own] = CostForm(
        id=own,
        name=fields.text("name", name),
        where=item.where,
        default=default.number(-1) if default else -1,
        presets=tuple(preset.number() for preset in fields.texts("presets")),
        text=read_text(limit, desk) if limit else SILENT,
    )
    fields.close()


def _preset(item: Item, desk: Desk) -> Preset:
    fields = item.fields("The preset")
    own, name = desk.identity(fields, "preset")
    limits: dict[str, Number] = {}
    given = fields.get("limits")
    for key, value in given.pairs() if given else ():
        if key.text() in desk.forms.costs:
            limits[key.text()] = value.number()
        else:
            key.wrong(
                "unknown-cost",
                f"There is no cost “{key.text()}”.",
                did_you_mean(key.text(), desk.forms.costs),
            )
    preset = Preset(
        id=own, name=name, text=fields.text("text"), limits=limits, detachments=_kinds(fields, desk)
    )
    fields.close()
    return preset


def _ruleset(item: Item, desk: Desk) -> Ruleset:
    fields = item.fields("The ruleset")
    own, name = desk.identity(fields, "ruleset")
    found = Ruleset(id=own, name=name, text=fields.text("text"), detachments=_kinds(fields, desk))
    fields.close()
    return found


def _kinds(fields: Fields, desk: Desk) -> tuple[str, ...]:
    known = {form.id for form in desk.forms.detachments}
    found = []
    for item in fields.texts("detachments"):
        if item.text() in known:
            found.append(item.text())
        else:
            mend = did_you_mean(item.text(), known)
            item.wrong("unknown-detachment", f"There is no detachment “{item.text()}”.", mend)
    return tuple(found)


def _accent(item: Item) -> tuple[str, str]:
    if item.is_text:
        return item.read(_read_colour, ""), ""
    fields = item.fields("The accent colour")
    light, dark = fields.read("light", _read_colour, ""), fields.read("dark", _read_colour, "")
    fields.close()
    return light, dark


def _read_colour(text: str) -> str:
    if _COLOUR.fullmatch(text):
        return text.lower()
    raise MisreadError(f"“{text}” is not a colour.", 'Write it as "#4d6b2f", in quotes.', "bad-colour")


def _unchecked(item: Item, desk: Desk) -> None:
    if item.is_text:
        desk.forms.unchecked.append(("not-checked", item.text(), desk.around))
        return
    fields = item.fields("The note")
    text = fields.need("text")
    code = fields.text("code", "not-checked")
    desk.forms.unchecked.append((code, text.text() if text else "", desk.cite(fields)))
    fields.close()

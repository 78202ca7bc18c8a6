"""Missions, objectives, stratagems, special rules and the quick reference as cards."""

from collections.abc import Iterator

from catalogue.definitions.citations import Citation
from catalogue.definitions.missions import Mission, Objective, ReferencePart, Scoring, Special, Stratagem
from catalogue.services.play import Laid, Play, Told, Worth, worth
from roster.pdf.imposition.card_face import Block, Face, Family, PrintCard, Row, foot
from roster.wording import cards as words
from roster.wording import format_citation


def mission_cards(play: Play, mission: Mission, copies: int = 1) -> Iterator[PrintCard]:
    """The card of a mission; of one whose sides differ, a card for each of them."""
    family = Family(words.get_label("mission"), "flag")
    for told in play.told(mission):
        kicker = " · ".join(filter(None, (told.name or words.get_label("mission"), mission.pack)))
        front = Face(
            title=mission.name,
            kicker=kicker,
            corner=_roll(mission),
            icon=told.icon or mission.icon,
            lead=told.brief.tagline or mission.tagline,
            blocks=tuple(_mission_blocks(mission, told)),
            foot=_foot(mission.citation, play),
        )
        yield PrintCard(key=f"mission-{mission.id}-{told.name}", front=front, copies=copies, family=family)


def objective_card(play: Play, objective: Objective, size_id: str = "") -> PrintCard:
    """The card of an objective, with the thresholds of one battle size or of all."""
    group = play.groups.get(objective.group)
    front = Face(
        title=objective.name,
        kicker=" · ".join(filter(None, (words.get_label("objective"), group.name if group else ""))),
        corner="" if objective.roll is None else str(objective.roll),
        icon=objective.icon or (group.icon if group else ""),
        lead=objective.tagline,
        blocks=tuple(_objective_blocks(play, objective, size_id)),
        foot=_foot(objective.citation, play),
    )
    return PrintCard(
        key=f"objective-{objective.id}", front=front, family=Family(words.get_label("objective"), "target")
    )


def stratagem_card(play: Play, stratagem: Stratagem) -> PrintCard:
    when = " · ".join(filter(None, (stratagem.when, words.format_frequency(stratagem.limit))))
    family = Family(words.get_label("stratagem"), "zap")
    front = Face(
        title=stratagem.name,
        kicker=" · ".join(filter(None, (words.get_label("stratagem"), stratagem.kind))),
        icon=family.icon,
        corner=words.format_command_points(stratagem.cost),
        blocks=(Block(label=when, texts=(stratagem.text,)),),
        foot=_foot(stratagem.citation, play),
    )
    return PrintCard(key=f"stratagem-{stratagem.id}", front=front, family=family)


def special_card(play: Play, special: Special) -> PrintCard:
    family = Family(words.get_label("special"), "triangle-alert")
    front = Face(
        title=special.name,
        kicker=words.get_label("special"),
        icon=family.icon,
        blocks=(Block(texts=(special.text,)),),
        foot=_foot(special.citation, play),
    )
    return PrintCard(key=f"special-{special.id}", front=front, family=family)


def reference_card(play: Play, part: ReferencePart) -> PrintCard:
    rows = tuple(Row(name=row.name, value=row.value) for row in part.rows)
    family = Family(words.get_label("reference"), "eye")
    front = Face(
        title=part.name,
        kicker=words.get_label("reference"),
        blocks=(Block(texts=part.texts, rows=rows),),
        foot=_foot(part.citation, play),
    )
    return PrintCard(key=f"reference-{part.id}", front=front, family=family)


def _mission_blocks(mission: Mission, told: Told) -> Iterator[Block]:
    brief = told.brief
    needed = [words.format_points_to_win(brief.total)] if brief.total else []
    needed += [words.format_turns(brief.turns)] if brief.turns else []
    if needed:
        yield Block(label=" · ".join(needed))
    for aim in told.aims:
        yield from _aim(aim)
    for said in brief.said:
        label = f"{said.label} · {said.points}" if said.points else said.label
        yield Block(label=label, texts=(said.text,))
    if told.markers:
        yield Block(label=words.get_label("markers"), texts=tuple(_markers(laid) for laid in told.markers))
    if told.maps:
        yield Block(label=words.get_label("deployment"), texts=(", ".join(each.name for each in told.maps),))
    if told.specials:
        texts = tuple(f"{special.name}: {special.text}" for special in told.specials)
        yield Block(label=words.get_label("special rules"), texts=texts)
    if mission.story:
        yield Block(texts=(mission.story,))
    if mission.note:
        yield Block(texts=(mission.note,))


def _aim(aim: Worth) -> Iterator[Block]:
    """An objective as a mission gives it, with its points worked out."""
    points = f" ({aim.aim.points})" if aim.aim.points else ""
    label = f"{aim.aim.label}: {aim.name}{points}" if aim.aim.label else f"{aim.name}{points}"
    objective = aim.objective
    zone = aim.aim.zone or (objective.zone if objective else "")
    rows = tuple(
        Row(name=f"{when}: {text}" if when else text, value=value) for when, text, value in aim.lines
    )
    more = (objective.setup, objective.special, objective.note) if objective else ()
    yield Block(label=label, texts=(zone,) if zone else (), rows=rows)
    if any(more):
        yield Block(texts=tuple(text for text in more if text))


def _objective_blocks(play: Play, objective: Objective, size_id: str) -> Iterator[Block]:
    if objective.zone:
        yield Block(label=words.get_label("zone"), texts=(objective.zone,))
    setup = [objective.setup] if objective.setup else []
    if objective.markers:
        token = play.tokens.get(objective.markers.token_id)
        setup.insert(0, _markers(Laid(objective.markers, token)))
    if setup:
        yield Block(label=words.get_label("setup"), texts=tuple(setup))
    yield Block(rows=tuple(row for score in objective.scores for row in _score(play, score, size_id)))
    if objective.special:
        yield Block(texts=(objective.special,))
    if objective.replace:
        yield Block(label=words.get_label("out of reach"), texts=(objective.replace,))
    if objective.note:
        yield Block(texts=(objective.note,))


def _score(play: Play, score: Scoring, size_id: str) -> Iterator[Row]:
    more = f" {words.format_doubling(score.doubled)}" if score.doubled else ""
    start = f"{score.when}: " if score.when else ""
    points = worth(score.points, "")
    for text, sizes in _by_text(score).items():
        if size_id and sizes and size_id not in sizes:
            continue
        names = ", ".join(play.sizes[own].name for own in sizes if own in play.sizes and not size_id)
        yield Row(name=f"{names}. {start}{text}{more}" if names else f"{start}{text}{more}", value=points)


def _by_text(score: Scoring) -> dict[str, list[str]]:
    """The battle sizes that each text is for; no sizes where it is for all."""
    found: dict[str, list[str]] = {} if score.by_size else {score.text: []}
    for own, text in score.by_size.items():
        found.setdefault(text, []).append(own)
    return found


def _markers(laid: Laid) -> str:
    line = words.format_markers(laid.markers, laid.token.name if laid.token else laid.markers.token_id)
    return f"{line}. {laid.markers.text}" if laid.markers.text else line


def _roll(mission: Mission) -> str:
    if mission.low is None:
        return ""
    return str(mission.low) if mission.low == mission.high else f"{mission.low}–{mission.high}"


def _foot(place: Citation, play: Play) -> str:
    return foot(format_citation(place, play.short_books))

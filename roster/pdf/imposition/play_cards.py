"""Cards of what a game is played with: missions, objectives, stratagems, special rules, reference, maps, tokens."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from catalogue.definitions.citations import Citation
from catalogue.definitions.missions import (
    Brief,
    DeploymentMapDefinition,
    LabelledText,
    MapTable,
    MissionDefinition,
    ObjectiveDefinition,
    ReferencePart,
    Scoring,
    Special,
    Stratagem,
    Token,
)
from catalogue.services.map_svg import draw_map
from catalogue.services.play import MissionBrief, MissionObjective, PlacedMarkers, Play, format_points
from roster.pdf.imposition.card_face import CardFamily, Face, FaceBlock, FaceKind, FaceRow, PrintCard
from roster.pdf.imposition.card_format import CardFormat
from roster.wording import cards as words
from roster.wording import format_citation

ROUNDS = 5
"""Boxes on an objective to tick the round in which it was scored."""


def build_mission_cards(play: Play, mission: MissionDefinition, copies: int = 1) -> Iterator[PrintCard]:
    """Yield the card of a mission, or one for each side if the sides differ."""
    family = CardFamily(words.get_label("mission"), "flag")
    for side in play.list_briefs(mission):
        kicker = " · ".join(filter(None, (side.name or words.get_label("mission"), mission.pack)))
        front = Face(
            title=mission.name,
            kicker=kicker,
            corner=_format_roll(mission),
            is_boxed=True,
            icon=side.icon or mission.icon,
            lead=side.brief.tagline or mission.tagline,
            blocks=tuple(_build_mission_blocks(mission, side)),
            foot=_format_foot(mission.citation, play),
        )
        yield PrintCard(key=f"mission-{mission.id}-{side.name}", front=front, copies=copies, family=family)


def build_objective_card(play: Play, objective: ObjectiveDefinition, size_id: str = "") -> PrintCard:
    """Return the card of an objective, with the thresholds of one battle size or of all."""
    group = play.groups.get(objective.group)
    group_name, group_icon = (group.name, group.icon) if group else ("", "")
    blocks = tuple(_build_objective_blocks(play, objective, size_id))
    points = _find_single_points(objective)
    front = Face(
        title=objective.name,
        kicker=" · ".join(filter(None, (words.get_label("objective"), group_name))),
        corner=_format_die(objective.roll),
        is_boxed=True,
        points=points,
        rounds=ROUNDS if points else 0,
        icon=objective.icon or group_icon,
        lead=objective.tagline,
        blocks=blocks,
        foot=_format_foot(objective.citation, play),
    )
    return PrintCard(
        key=f"objective-{objective.id}", front=front, family=CardFamily(words.get_label("objective"), "target")
    )


def build_stratagem_card(play: Play, stratagem: Stratagem) -> PrintCard:
    when = " · ".join(filter(None, (stratagem.when, words.format_frequency(stratagem.limit))))
    family = CardFamily(words.get_label("stratagem"), "zap")
    front = Face(
        title=stratagem.name,
        kicker=" · ".join(filter(None, (words.get_label("stratagem"), stratagem.kind))),
        icon=family.icon,
        corner=str(stratagem.cost),
        is_boxed=True,
        is_cost=True,
        blocks=(FaceBlock(label=when), FaceBlock(texts=(stratagem.text,))),
        foot=_format_foot(stratagem.citation, play),
    )
    return PrintCard(key=f"stratagem-{stratagem.id}", front=front, family=family)


def build_special_card(play: Play, special: Special) -> PrintCard:
    family = CardFamily(words.get_label("special"), "triangle-alert")
    front = Face(
        title=special.name,
        kicker=words.get_label("special"),
        icon=family.icon,
        blocks=(FaceBlock(texts=(special.text,)),),
        foot=_format_foot(special.citation, play),
    )
    return PrintCard(key=f"special-{special.id}", front=front, family=family)


def build_reference_card(play: Play, part: ReferencePart) -> PrintCard:
    rows = tuple(FaceRow(name=row.name, value=row.value) for row in part.rows)
    family = CardFamily(words.get_label("reference"), "eye")
    front = Face(
        title=part.name,
        kicker=words.get_label("reference"),
        blocks=(FaceBlock(texts=part.texts, rows=rows),),
        foot=_format_foot(part.citation, play),
    )
    return PrintCard(key=f"reference-{part.id}", front=front, family=family)


def _build_mission_blocks(mission: MissionDefinition, side: MissionBrief) -> Iterator[FaceBlock]:
    if figures := _describe_brief(side.brief):
        yield FaceBlock(label=figures)
    for aim in side.aims:
        yield from _build_aim_blocks(aim)
    yield from map(_build_section_block, side.brief.paragraphs)
    yield from _build_ground_blocks(side)
    yield from _build_closing_blocks(mission, side)


def _build_section_block(section: LabelledText) -> FaceBlock:
    label = f"{section.label} · {section.points}" if section.points else section.label
    return FaceBlock(label=label, texts=(section.text,))


def _build_closing_blocks(mission: MissionDefinition, side: MissionBrief) -> Iterator[FaceBlock]:
    # How a mission scores in one sentence is for sides that do not say it themselves.
    if mission.scoring and not _has_scoring(side):
        yield FaceBlock(texts=(mission.scoring,))
    # Notes on the edition are on pages, never on paper.
    if mission.story:
        yield FaceBlock(texts=(mission.story,))


def _has_scoring(side: MissionBrief) -> bool:
    return bool(side.aims or side.brief.paragraphs)


def _describe_brief(brief: Brief) -> str:
    """Return the points that win a mission, and how many turns it has."""
    figures: list[str] = []
    if brief.total:
        figures.append(words.format_points_to_win(brief.total))
    if brief.turns:
        figures.append(words.format_turns(brief.turns))
    return " · ".join(figures)


def _build_ground_blocks(side: MissionBrief) -> Iterator[FaceBlock]:
    """Yield what lies on the table: markers, where armies deploy, special rules."""
    maps = ", ".join(deployment_map.name for deployment_map in side.maps)
    texts = {
        "markers": tuple(map(_describe_markers, side.markers)),
        "deployment": (maps,) if side.maps else (),
        "special rules": tuple(f"{special.name}: {special.text}" for special in side.specials),
    }
    for label, lines in texts.items():
        if lines:
            yield FaceBlock(label=words.get_label(label), texts=lines)


def _build_aim_blocks(aim: MissionObjective) -> Iterator[FaceBlock]:
    """Yield the blocks of an objective as a mission uses it, with its points worked out."""
    objective = aim.objective
    zone, setup, special = (objective.zone, objective.setup, objective.special) if objective else ("", "", "")
    zones = tuple(filter(None, (aim.aim.zone or zone,)))
    yield FaceBlock(label=_name_aim(aim), texts=zones, rows=tuple(_build_aim_rows(aim)))
    if texts := tuple(filter(None, (setup, special))):
        yield FaceBlock(texts=texts)


def _build_aim_rows(aim: MissionObjective) -> Iterator[FaceRow]:
    for when, text, value in aim.lines:
        yield FaceRow(name=f"{when}: {text}" if when else text, value=value, points=True)


def _name_aim(aim: MissionObjective) -> str:
    """Return the name of an objective with its points, and what a mission calls it before that."""
    name = f"{aim.name} ({aim.aim.points})" if aim.aim.points else aim.name
    return f"{aim.aim.label}: {name}" if aim.aim.label else name


def _build_objective_blocks(play: Play, objective: ObjectiveDefinition, size_id: str) -> Iterator[FaceBlock]:
    if objective.zone:
        yield FaceBlock(label=words.get_label("zone"), texts=(objective.zone,))
    if setup := _describe_setup(play, objective):
        yield FaceBlock(label=words.get_label("setup"), texts=setup)
    yield from _build_score_blocks(play, objective, size_id)
    if objective.special:
        yield FaceBlock(texts=(objective.special,))
    if objective.replace:
        yield FaceBlock(label=words.get_label("out of reach"), texts=(objective.replace,))


def _describe_setup(play: Play, objective: ObjectiveDefinition) -> tuple[str, ...]:
    """Return what is set up for an objective: its markers, then what else it says."""
    texts = [objective.setup] if objective.setup else []
    if objective.markers:
        token = play.tokens.get(objective.markers.token_id)
        texts.insert(0, _describe_markers(PlacedMarkers(objective.markers, token)))
    return tuple(texts)


def _build_score_blocks(play: Play, objective: ObjectiveDefinition, size_id: str) -> Iterator[FaceBlock]:
    rows = tuple(chain.from_iterable(_build_score_rows(play, score, size_id) for score in objective.scores))
    if not _find_single_points(objective):
        yield FaceBlock(rows=rows)
        return
    (score,) = objective.scores
    yield FaceBlock(label=score.when)
    # The points are in the ring.
    yield FaceBlock(texts=tuple(row.name.removeprefix(f"{score.when}: ") for row in rows))


def _find_single_points(objective: ObjectiveDefinition) -> str:
    """Return what an objective scores if it scores in one way; blank if in several."""
    scores = objective.scores
    return format_points(scores[0].points, "") if len(scores) == 1 else ""


def _build_score_rows(play: Play, score: Scoring, size_id: str) -> Iterator[FaceRow]:
    for text, sizes in _group_sizes_by_text(score).items():
        if _concerns_size(sizes, size_id):
            # Where the size is known, nobody needs to read which sizes a line is for.
            names = "" if size_id else _name_sizes(play, sizes)
            name = names + _describe_score(score, text)
            yield FaceRow(name=name, value=format_points(score.points, ""), points=True)


def _describe_score(score: Scoring, text: str) -> str:
    """Return what scores, with when it does, and what doubles it."""
    start = f"{score.when}: " if score.when else ""
    end = f" {words.format_doubling(score.doubled)}" if score.doubled else ""
    return f"{start}{text}{end}"


def _concerns_size(sizes: Collection[str], size_id: str) -> bool:
    """Return whether a line for some sizes of battle, or for all, is asked for; a blank size asks for every line."""
    return not sizes or not size_id or size_id in sizes


def _name_sizes(play: Play, sizes: Sequence[str]) -> str:
    names = ", ".join(play.sizes[size].name for size in sizes if size in play.sizes)
    return f"{names}. " if names else ""


def _group_sizes_by_text(score: Scoring) -> dict[str, list[str]]:
    """Return the battle sizes that each text is for; no sizes if it is for all."""
    sizes_by_text: dict[str, list[str]] = {} if score.by_size else {score.text: []}
    for battle_size, text in score.by_size.items():
        sizes_by_text.setdefault(text, []).append(battle_size)
    return sizes_by_text


def _describe_markers(placed_markers: PlacedMarkers) -> str:
    line = words.format_markers(
        placed_markers.markers, placed_markers.token.name if placed_markers.token else placed_markers.markers.token_id
    )
    return f"{line}. {placed_markers.markers.text}" if placed_markers.markers.text else line


def _format_die(roll: int | None) -> str:
    return "" if roll is None else str(roll)


def _format_roll(mission: MissionDefinition) -> str:
    if mission.low is None:
        return ""
    return str(mission.low) if mission.low == mission.high else f"{mission.low}–{mission.high}"


def _format_foot(source: Citation, play: Play) -> str:
    return format_citation(source, play.short_books)


Tables = Sequence[tuple[MapTable, bool]]
"""Tables to draw, and whether their distances were entered by hand."""


def build_map_card(play: Play, deployment_map: DeploymentMapDefinition, tables: Tables) -> PrintCard:
    """Return the card of a map: its drawings, then its rules."""
    texts = tuple(filter(None, (deployment_map.text, *deployment_map.steps)))
    front = Face(
        title=deployment_map.name,
        kicker=words.get_label("deployment"),
        corner=_format_die(deployment_map.roll),
        is_boxed=True,
        icon="map",
        blocks=(*draw_map_blocks(deployment_map, tables), *([FaceBlock(texts=texts)] if texts else [])),
        foot=format_citation(deployment_map.citation, play.short_books),
    )
    return PrintCard(
        key=f"map-{deployment_map.id}", front=front, family=CardFamily(words.get_label("deployment"), "map")
    )


def draw_map_blocks(deployment_map: DeploymentMapDefinition, tables: Tables) -> list[FaceBlock]:
    """Return the drawings of a map, each with its scale; none where only the book draws it."""
    return [
        FaceBlock(label=_describe_scale(table, by_hand), figure=draw_map(table, deployment_map.name))
        for table, by_hand in tables
    ]


def build_map_list_card(play: Play, maps: Sequence[DeploymentMapDefinition]) -> PrintCard:
    """Return one card that names the maps that only the book draws, with the die roll for each."""
    rows = tuple(FaceRow(name=_format_die(one.roll), value=one.name) for one in maps)
    texts = chain.from_iterable(one.steps for one in maps)
    front = Face(
        title=words.get_label("deployment"),
        icon="map",
        blocks=(FaceBlock(rows=rows), FaceBlock(texts=(*dict.fromkeys(texts), words.get_label("maps in the book")))),
        foot=_format_foot(maps[0].citation, play),
    )
    return PrintCard(key="maps", front=front, family=CardFamily(words.get_label("deployment"), "map"))


def _describe_scale(table: MapTable, by_hand: bool) -> str:
    scale = words.format_scale(table.width, table.depth)
    return f"{scale}; {words.get_label('measured by hand')}" if by_hand else scale


SIDES = ("I", "II")
"""How the tokens of two players are distinguished."""


def build_token_cards(token: Token) -> Iterator[PrintCard]:
    """Yield all copies of a token: its faces as often as needed, once more for the other player."""
    faces = token.faces or ("",)
    copies = max(1, token.count // len(faces))
    for side in SIDES if token.per_player else ("",):
        for number in faces:
            yield PrintCard(
                key=f"token-{token.id}-{number}-{side}",
                front=_build_token_face(token, number, side),
                copies=copies,
                card_format=CardFormat(float(token.diameter), float(token.diameter), round=True),
            )


def _build_token_face(token: Token, number: str, side: str) -> Face:
    return Face(
        title=token.name,
        corner=number,
        icon=token.icon,
        lead=" · ".join(filter(None, (token.text, side))),
        kind=FaceKind.TOKEN,
        inverse=side == SIDES[1],
    )

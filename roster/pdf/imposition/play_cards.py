"""Build a game's cards, from missions to tokens."""

from collections.abc import Iterator, Sequence
from itertools import chain

import msgspec

from catalogue.definitions.citations import Citation
from catalogue.definitions.missions import (
    DeploymentMapDefinition,
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


def build_mission_cards(play: Play, mission: MissionDefinition, copies: int = 1) -> Iterator[PrintCard]:
    """Yield a mission's card, or one for each side if the sides differ."""
    family = CardFamily(words.get_label("mission"), "flag")
    roll = ""
    if mission.low is not None:
        roll = str(mission.low) if mission.low == mission.high else f"{mission.low}–{mission.high}"
    for side in play.list_briefs(mission):
        kicker = " · ".join(filter(None, (side.name or words.get_label("mission"), mission.pack)))
        front = Face(
            title=mission.name,
            kicker=kicker,
            corner=roll,
            is_boxed=True,
            icon=side.icon or mission.icon,
            lead=side.brief.tagline or mission.tagline,
            blocks=tuple(_build_mission_blocks(mission, side)),
            foot=_format_foot(mission.citation, play),
        )
        yield PrintCard(key=f"mission-{mission.id}-{side.name}", front=front, copies=copies, family=family)


def build_objective_card(play: Play, objective: ObjectiveDefinition, size_id: str = "") -> PrintCard:
    """Build an objective's card, with its scores for `size_id` or for all battle sizes."""
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
    steps = tuple(f"{number}. {step}" for number, step in enumerate(part.steps, 1))
    front = Face(
        title=part.name,
        kicker=words.get_label("reference"),
        blocks=(FaceBlock(texts=(*steps, *part.texts), rows=rows),),
        shares_size=True,
        foot=_format_foot(part.citation, play),
    )
    return PrintCard(key=f"reference-{part.id}", front=front, family=family)


def _build_mission_blocks(mission: MissionDefinition, side: MissionBrief) -> Iterator[FaceBlock]:
    figures: list[str] = []
    if side.brief.total:
        figures.append(words.format_points_to_win(side.brief.total))
    if side.brief.turns:
        figures.append(words.format_turns(side.brief.turns))
    if figures:
        yield FaceBlock(label=" · ".join(figures))

    for aim in side.aims:
        yield from _build_aim_blocks(aim)
    for section in side.brief.paragraphs:
        label = f"{section.label} · {section.points}" if section.points else section.label
        yield FaceBlock(label=label, texts=(section.text,))

    maps = ", ".join(deployment_map.name for deployment_map in side.maps)
    ground = {
        "markers": tuple(map(_describe_markers, side.markers)),
        "deployment": (maps,) if side.maps else (),
        "special rules": tuple(f"{special.name}: {special.text}" for special in side.specials),
    }
    for key, texts in ground.items():
        if texts:
            yield FaceBlock(label=words.get_label(key), texts=texts)

    # The summary of scoring is for sides without scoring texts.
    if mission.scoring and not side.aims and not side.brief.paragraphs:
        yield FaceBlock(texts=(mission.scoring,))
    # Notes on the edition are not printed.
    if mission.story:
        yield FaceBlock(texts=(mission.story,))


def _build_aim_blocks(aim: MissionObjective) -> Iterator[FaceBlock]:
    objective = aim.objective
    zone, setup, special = (objective.zone, objective.setup, objective.special) if objective else ("", "", "")
    zones = tuple(filter(None, (aim.aim.zone or zone,)))
    name = f"{aim.name} ({aim.aim.points})" if aim.aim.points else aim.name
    label = f"{aim.aim.label}: {name}" if aim.aim.label else name
    rows = [
        FaceRow(name=f"{when}: {text}" if when else text, value=value, points=True) for when, text, value in aim.lines
    ]
    yield FaceBlock(label=label, texts=zones, rows=tuple(rows))
    if texts := tuple(filter(None, (setup, special))):
        yield FaceBlock(texts=texts)


def _build_objective_blocks(play: Play, objective: ObjectiveDefinition, size_id: str) -> Iterator[FaceBlock]:
    if objective.zone:
        yield FaceBlock(label=words.get_label("zone"), texts=(objective.zone,))

    setup = [objective.setup] if objective.setup else []
    if objective.markers:
        token = play.tokens.get(objective.markers.token_id)
        setup.insert(0, _describe_markers(PlacedMarkers(objective.markers, token)))
    if setup:
        yield FaceBlock(label=words.get_label("setup"), texts=tuple(setup))

    if _find_single_points(objective):
        # The points are in the ring, and the time is the label.
        (score,) = objective.scores
        yield FaceBlock(label=score.when)
        timeless = msgspec.structs.replace(score, when="")
        yield FaceBlock(texts=tuple(row.name for row in _build_score_rows(play, timeless, size_id)))
    else:
        rows = (row for score in objective.scores for row in _build_score_rows(play, score, size_id))
        yield FaceBlock(rows=tuple(rows))

    if objective.special:
        yield FaceBlock(texts=(objective.special,))
    if objective.replace:
        yield FaceBlock(label=words.get_label("out of reach"), texts=(objective.replace,))


def _find_single_points(objective: ObjectiveDefinition) -> str:
    scores = objective.scores
    return format_points(scores[0].points, "") if len(scores) == 1 else ""


def _build_score_rows(play: Play, score: Scoring, size_id: str) -> Iterator[FaceRow]:
    sizes_by_text: dict[str, list[str]] = {} if score.by_size else {score.text: []}
    for battle_size, text in score.by_size.items():
        sizes_by_text.setdefault(text, []).append(battle_size)

    start = f"{score.when}: " if score.when else ""
    end = f" {words.format_doubling(score.doubled)}" if score.doubled else ""
    for text, sizes in sizes_by_text.items():
        if sizes and size_id and size_id not in sizes:
            continue
        # With a known size, lines need not name theirs.
        names = "" if size_id else ", ".join(play.sizes[size].name for size in sizes if size in play.sizes)
        name = f"{names}. " if names else ""
        yield FaceRow(name=f"{name}{start}{text}{end}", value=format_points(score.points, ""), points=True)


def _describe_markers(placed_markers: PlacedMarkers) -> str:
    line = words.format_markers(
        placed_markers.markers, placed_markers.token.name if placed_markers.token else placed_markers.markers.token_id
    )
    return f"{line}. {placed_markers.markers.text}" if placed_markers.markers.text else line


def _format_die(roll: int | None) -> str:
    return "" if roll is None else str(roll)


def _format_foot(source: Citation, play: Play) -> str:
    return format_citation(source, play.short_books)


Tables = Sequence[tuple[MapTable, bool]]
"""Tables to draw, each with whether it was measured by hand."""


def build_map_card(play: Play, deployment_map: DeploymentMapDefinition, tables: Tables) -> PrintCard:
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
    """Draw the map once per table, with its scale."""
    blocks = []
    for table, by_hand in tables:
        scale = words.format_scale(table.width, table.depth)
        label = f"{scale}; {words.get_label('measured by hand')}" if by_hand else scale
        blocks.append(FaceBlock(label=label, figure=draw_map(table, deployment_map.name)))
    return blocks


def build_map_list_card(play: Play, maps: Sequence[DeploymentMapDefinition]) -> PrintCard:
    """Name the maps that only the book shows."""
    rows = tuple(FaceRow(name=_format_die(one.roll), value=one.name) for one in maps)
    texts = chain.from_iterable(one.steps for one in maps)
    front = Face(
        title=words.get_label("deployment"),
        icon="map",
        blocks=(FaceBlock(rows=rows), FaceBlock(texts=(*dict.fromkeys(texts), words.get_label("maps in the book")))),
        foot=_format_foot(maps[0].citation, play),
    )
    return PrintCard(key="maps", front=front, family=CardFamily(words.get_label("deployment"), "map"))


SIDES = ("I", "II")


def build_token_cards(token: Token) -> Iterator[PrintCard]:
    faces = token.faces or ("",)
    copies = max(1, token.count // len(faces))
    for side in SIDES if token.per_player else ("",):
        for number in faces:
            front = Face(
                title=token.name,
                corner=number,
                icon=token.icon,
                lead=" · ".join(filter(None, (token.text, side))),
                kind=FaceKind.TOKEN,
                inverse=side == SIDES[1],
            )
            yield PrintCard(
                key=f"token-{token.id}-{number}-{side}",
                front=front,
                copies=copies,
                card_format=CardFormat(float(token.diameter), float(token.diameter), round=True),
            )

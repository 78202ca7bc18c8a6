"""The list of the benchmarks: fifteen units of the example pack in two detachments."""

GAME, FACTION = "reeds-and-rust", "marsh-compact"
DETACHMENTS = (
    (
        "lock-warden",
        "reed-cutters",
        "reed-cutters",
        "punt-crew",
        "sluice-giants",
        "pike-bailiffs",
        "heron-scouts",
        "night-ferry",
    ),
    ("eel-broker", "reed-cutters", "reed-cutters", "punt-crew", "pike-bailiffs", "heron-scouts", "heron-scouts"),
)
DOCUMENT = f"""
list: 1
game: {GAME}
faction: {FACTION}
name: Fifteen units
limits: {{points: 300}}
detachments:
""" + "".join(f"- {{detachment: standard, units: [{', '.join(units)}]}}\n" for units in DETACHMENTS)
LEGAL = (
    ("lock-warden", "reed-cutters", "punt-crew", "heron-scouts", "reed-cutters"),
    ("lock-warden", "sluice-giants", "punt-crew", "punt-crew", "heron-scouts"),
    ("lock-warden", "punt-crew", "sluice-giants", "punt-crew", "sluice-giants"),
)
"""Fifteen units of a legal list. The list above lacks something that no pick can add, which takes a proof."""

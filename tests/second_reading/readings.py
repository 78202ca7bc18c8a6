from tests.second_reading import (
    edge_dawnfall,
    maelstrom_of_war_9e,
    maelstroms_edge_1e,
    maelstroms_edge_2e,
    warzone_resurrection,
)
from tests.second_reading.reading import Reading

READINGS: tuple[Reading, ...] = (
    edge_dawnfall.READING,
    maelstroms_edge_1e.READING,
    maelstroms_edge_2e.READING,
    maelstrom_of_war_9e.READING,
    warzone_resurrection.READING,
)

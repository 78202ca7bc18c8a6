"""Named cards: kinds of card that list owners name themselves, because the pack does not list every card of the
game.
"""

"""Named cards: kinds of card that list owners name, because packs cannot list every card."""

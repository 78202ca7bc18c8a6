"""Named cards: kinds of card whose names the owner of a list writes, because nobody lists the cards of the game."""

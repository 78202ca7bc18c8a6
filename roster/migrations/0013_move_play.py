from django.db import migrations

MODELS = ("DeckMission", "MissionDraw", "MissionDeck", "ObjectiveHand")


class Migration(migrations.Migration):
    """Mission decks and hands go to the app `roster.play`, which takes their tables over as they are."""

    dependencies = [("roster", "0012_pack_proofs")]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name=name) for name in MODELS])
    ]

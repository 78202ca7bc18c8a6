import django.db.models.deletion
from django.db import migrations, models


def forget_games(apps, schema_editor):
    """Delete counts of recorded games, a source that earlier pages do not know."""
    apps.get_model("club", "SliceStatistics").objects.filter(source="games").delete()


class Migration(migrations.Migration):
    dependencies = [("club", "0009_season_homebrew")]

    operations = [
        migrations.RunPython(migrations.RunPython.noop, forget_games),
        migrations.AddField(
            model_name="gamestatistics", name="game_lists", field=models.PositiveIntegerField(db_default=0, default=0)
        ),
        migrations.AddField(model_name="statechange", name="ticked", field=models.UUIDField(blank=True, null=True)),
        migrations.AlterField(
            model_name="slicestatistics",
            name="source",
            field=models.CharField(
                choices=[("public", "Public lists"), ("events", "Events"), ("games", "Recorded games")], max_length=10
            ),
        ),
        migrations.CreateModel(
            name="KindPhoto",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("content_hash", models.CharField(editable=False, max_length=64)),
                ("large", models.CharField(editable=False, max_length=200)),
                ("small", models.CharField(editable=False, max_length=200)),
                ("width", models.PositiveIntegerField(editable=False)),
                ("height", models.PositiveIntegerField(editable=False)),
                ("size", models.PositiveIntegerField(editable=False)),
                ("taken_down", models.BooleanField(default=False)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("caption", models.CharField(blank=True, max_length=200)),
                ("place", models.PositiveIntegerField(default=0)),
                (
                    "kind",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="photos", to="club.ownedkind"
                    ),
                ),
            ],
            options={"ordering": ("kind", "place", "pk")},
        ),
    ]

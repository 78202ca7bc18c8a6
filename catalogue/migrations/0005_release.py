import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


def every_version_was_published(apps, schema_editor):
    """Until now a version was published as soon as it was installed; one that is current again is so since now."""
    release = apps.get_model("catalogue", "Release")
    for version in apps.get_model("catalogue", "PackVersion").objects.order_by("created", "pk"):
        release.objects.create(game_id=version.game_id, version_id=version.pk, since=version.created)
    for game in apps.get_model("catalogue", "GameSystem").objects.exclude(current=None):
        last = release.objects.filter(game=game).order_by("-since", "-pk").first()
        if last is None or last.version_id != game.current_id:
            release.objects.create(game=game, version_id=game.current_id)


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0004_cards")]

    operations = [
        migrations.CreateModel(
            name="Release",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.DateTimeField(default=django.utils.timezone.now, verbose_name="since")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="releases",
                        to="catalogue.gamesystem",
                        verbose_name="game",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="releases",
                        to="catalogue.packversion",
                        verbose_name="version",
                    ),
                ),
            ],
            options={
                "verbose_name": "release",
                "verbose_name_plural": "releases",
                "ordering": ("game", "-since", "-pk"),
                "indexes": [models.Index(fields=["game", "-since"], name="catalogue_r_game_id_since")],
            },
        ),
        migrations.RunPython(every_version_was_published, migrations.RunPython.noop),
    ]

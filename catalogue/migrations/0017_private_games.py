import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    # A private game has no current version, which the version before does not know.
    pauses = True

    dependencies = [("catalogue", "0016_gallery"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.AddField(
            model_name="gamesystem",
            name="owner",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="own_games",
                to=settings.AUTH_USER_MODEL,
                verbose_name="owner",
            ),
        ),
        migrations.AddField(
            model_name="gamesystem",
            name="private_version",
            field=models.OneToOneField(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="private_of",
                to="catalogue.packversion",
            ),
        ),
        migrations.AddConstraint(
            model_name="gamesystem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("owner__isnull", True), ("private_version__isnull", True)),
                    models.Q(("current__isnull", True), ("owner__isnull", False)),
                    _connector="OR",
                ),
                name="private_games_are_never_published",
            ),
        ),
    ]

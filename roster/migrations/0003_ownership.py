import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q


def one_address_for_both(apps, schema_editor):
    """Links that were given out before go on working."""
    apps.get_model("roster", "Roster").objects.update(link_id=F("public_id"))


class Migration(migrations.Migration):
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL), ("roster", "0002_game_plan")]

    operations = [
        migrations.AddField(
            model_name="roster",
            name="link_id",
            field=models.CharField(default="", editable=False, max_length=22),
            preserve_default=False,
        ),
        migrations.RunPython(one_address_for_both, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="roster", name="link_id", field=models.CharField(editable=False, max_length=22, unique=True)
        ),
        migrations.AddField(
            model_name="roster",
            name="owner",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="%(class)ss",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="roster",
            name="visibility",
            field=models.CharField(
                choices=[("private", "private"), ("link", "by link"), ("public", "public")],
                default="link",
                max_length=10,
            ),
        ),
        migrations.AddField(model_name="roster", name="taken_down", field=models.BooleanField(default=False)),
        migrations.AddConstraint(
            model_name="roster",
            constraint=models.CheckConstraint(
                condition=Q(("owner__isnull", True), ("owner_key", ""), _connector="OR"), name="roster_roster_one_owner"
            ),
        ),
    ]

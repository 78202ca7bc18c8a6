from typing import Any

from django.db import migrations, models


def refuse_archives(apps: Any, editor: Any) -> None:
    if apps.get_model("roster", "Roster").objects.exclude(archive="").exists():
        raise RuntimeError("Histories are archived. Run `manage.py archive_histories --undo` first.")


class Migration(migrations.Migration):
    dependencies = [("roster", "0036_homebrew_revision")]

    operations = [
        migrations.AddField(
            model_name="roster",
            name="archive",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=200),
        ),
        migrations.AddField(
            model_name="roster",
            name="archived_to",
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        # Without the names of their files, archived documents would be lost.
        migrations.RunPython(migrations.RunPython.noop, refuse_archives),
    ]

from typing import Any

from django.db import migrations, models


def hold_back_unchecked(apps: Any, _editor: Any) -> None:
    """Hold back all lists judged before this version: it is unknown which of their notes are about the list."""
    apps.get_model("events", "Participant").objects.update(left_open=models.F("unchecked"))


class Migration(migrations.Migration):
    dependencies = [("events", "0004_pairings")]

    operations = [
        migrations.AddField(
            model_name="participant", name="left_open", field=models.PositiveIntegerField(db_default=0, default=0)
        ),
        migrations.RunPython(hold_back_unchecked, migrations.RunPython.noop),
    ]

"""Every revision has its version. PostgreSQL changes no column in the transaction that filled it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0001_initial"), ("roster", "0004_history")]

    operations = [
        migrations.AlterField(
            "rosterrevision",
            "version",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="revisions", to="catalogue.packversion"
            ),
        )
    ]

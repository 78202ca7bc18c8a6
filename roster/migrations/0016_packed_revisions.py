from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("roster", "0015_player_names")]

    operations = [
        # The column stays as it is, so that a server of the version before goes on writing to it.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name="rosterrevision", name="document"),
                migrations.AddField(
                    model_name="rosterrevision",
                    name="text",
                    field=models.TextField(db_column="document", blank=True),
                    preserve_default=False,
                ),
            ]
        ),
        migrations.AlterField(
            model_name="rosterrevision",
            name="text",
            field=models.TextField(blank=True, db_column="document", db_default=""),
        ),
        migrations.AddField(model_name="rosterrevision", name="packed", field=models.BinaryField(null=True)),
        migrations.AddField(
            model_name="rosterrevision", name="base", field=models.PositiveIntegerField(db_default=0, default=0)
        ),
    ]

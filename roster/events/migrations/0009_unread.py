from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0008_doubled")]

    operations = [
        # The column keeps its name, so a server of the previous version can still read and write it.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField(model_name="submission", old_name="kept", new_name="unread"),
                migrations.AlterField(
                    model_name="submission",
                    name="unread",
                    field=models.TextField(blank=True, db_column="kept", db_default="", default=""),
                ),
            ]
        )
    ]

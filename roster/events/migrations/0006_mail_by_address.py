from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("events", "0005_left_open")]

    # A process that writes between the removal of one constraint and the creation of the next could send a letter
    # twice.
    pauses = True

    operations: ClassVar = [
        migrations.CreateModel(
            name="MailRefusal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("email", models.EmailField(max_length=254, unique=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.AddField(
            model_name="eventmail", name="by_address", field=models.BooleanField(db_default=False, default=False)
        ),
        migrations.RemoveConstraint(model_name="eventmail", name="one_mail_an_occasion"),
        migrations.AddConstraint(
            model_name="eventmail",
            constraint=models.UniqueConstraint(
                fields=("participant", "kind", "occasion", "by_address"), name="one_mail_a_way_and_occasion"
            ),
        ),
    ]

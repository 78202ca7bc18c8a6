from django.db import migrations, models

KIND = models.CharField(
    choices=[("verdict", "A verdict"), ("unit", "A datasheet"), ("line", "A line of text")],
    db_default="verdict",
    default="verdict",
    max_length=10,
)


class Migration(migrations.Migration):
    dependencies = [("roster", "0029_verdict_reports")]

    operations = [
        migrations.AddField(model_name="verdictreport", name="kind", field=KIND),
        migrations.AddField(model_name="verdicttest", name="kind", field=KIND.clone()),
        migrations.AddField(model_name="verdicttest", name="lines", field=models.JSONField(blank=True, null=True)),
        # The choices are not in the database.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="verdictreport",
                    name="doubt",
                    field=models.CharField(
                        choices=[
                            ("rule", "The rule doesn’t apply here"),
                            ("reading", "The rule was misread"),
                            ("count", "The list is counted wrongly"),
                            ("figure", "A figure or ability is wrong"),
                            ("price", "The points are wrong"),
                            ("option", "An option or limit is wrong"),
                            ("meaning", "It means something else"),
                            ("number", "The number is wrong"),
                            ("note", "It is not part of the list"),
                            ("other", "Something else"),
                        ],
                        max_length=20,
                    ),
                )
            ]
        ),
    ]

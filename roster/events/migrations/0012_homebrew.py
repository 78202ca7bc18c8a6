import django.db.models.deletion
from django.db import migrations, models

CHOICES = [
    ("unreadable", "Unreadable"),
    ("illegal", "Illegal"),
    ("incomplete", "Incomplete"),
    ("as-read", "Legal as far as read"),
    ("by-rules", "Legal by house rules"),
    ("legal", "Legal"),
]


def name_legal(apps, schema_editor):
    """Give lists that are legal by house rules the word that the previous version knows."""
    for name in ("Participant", "Submission", "Recheck"):
        apps.get_model("events", name).objects.filter(verdict="by-rules").update(verdict="legal")


class Migration(migrations.Migration):
    dependencies = [("events", "0011_shared_numbers"), ("roster", "0034_print_line")]

    operations = [
        # Only labels change; the columns stay, so the previous version still works.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="participant",
                    name="verdict",
                    field=models.CharField(blank=True, choices=CHOICES, max_length=10),
                ),
                migrations.AlterField(
                    model_name="recheck", name="verdict", field=models.CharField(choices=CHOICES, max_length=10)
                ),
                migrations.AlterField(
                    model_name="submission", name="verdict", field=models.CharField(choices=CHOICES, max_length=10)
                ),
            ]
        ),
        migrations.CreateModel(
            name="EventHomebrew",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=100)),
                ("name", models.CharField(max_length=100)),
                ("number", models.PositiveIntegerField()),
                ("document", models.TextField()),
                ("content_hash", models.CharField(max_length=64)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="homebrews", to="events.event"
                    ),
                ),
                (
                    "origin",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="roster.homebrewversion",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [models.UniqueConstraint(fields=("event", "key"), name="one_homebrew_per_event")],
            },
        ),
        migrations.AddField(
            model_name="event",
            name="homebrew",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="events.eventhomebrew",
            ),
        ),
        migrations.AddField(
            model_name="submission",
            name="homebrew",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="+",
                to="events.eventhomebrew",
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, name_legal),
    ]

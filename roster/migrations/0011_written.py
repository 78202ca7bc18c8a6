from django.db import migrations, models
from django.db.models import OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce, Length


def add_up(apps, schema_editor):
    revisions = apps.get_model("roster", "RosterRevision").objects.order_by().filter(roster=OuterRef("pk"))
    sums = revisions.values("roster").annotate(sum=Sum(Length("document"))).values("sum")
    apps.get_model("roster", "Roster").objects.update(written=Coalesce(Subquery(sums), 0))


class Migration(migrations.Migration):
    dependencies = [("roster", "0010_lists_by_units")]

    operations = [
        migrations.AddField(
            model_name="roster", name="written", field=models.PositiveBigIntegerField(default=0, editable=False)
        ),
        migrations.RunPython(add_up, migrations.RunPython.noop),
    ]

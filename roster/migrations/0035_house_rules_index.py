from django.db import migrations, models

from catalogue.models.gentle_index import AddIndexGently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("roster", "0034_print_line")]

    operations = [
        AddIndexGently(model_name="roster", index=models.Index(fields=["homebrew"], name="roster_by_house_rules"))
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("roster", "0034_print_line")]

    operations = [
        migrations.AddIndex(model_name="roster", index=models.Index(fields=["homebrew"], name="roster_by_house_rules"))
    ]

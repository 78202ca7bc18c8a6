from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0011_share_contents")]

    operations = [
        migrations.RemoveField(model_name="cataloguedocument", name="body"),
        migrations.RemoveField(model_name="unitentry", name="search_text"),
        migrations.RemoveField(model_name="unitentry", name="terms"),
    ]

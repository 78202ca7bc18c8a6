from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("club", "0011_comment_news")]

    operations = [
        migrations.AddField(
            model_name="ownedkind",
            name="location",
            field=models.CharField(blank=True, db_default="", default="", max_length=100),
        )
    ]

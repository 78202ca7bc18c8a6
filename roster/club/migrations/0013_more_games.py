from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0017_private_games"), ("club", "0012_locations")]

    operations = [
        migrations.AddField(
            model_name="collection",
            name="more_games",
            field=models.ManyToManyField(blank=True, related_name="+", to="catalogue.gamesystem"),
        )
    ]

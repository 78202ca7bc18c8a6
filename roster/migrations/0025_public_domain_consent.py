import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("roster", "0024_access_tokens"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="PublicDomainConsent",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="public_domain_consent",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("given", models.DateTimeField(auto_now_add=True)),
            ],
        )
    ]

from typing import Any

from django.db import migrations, models


def write_bodies_back(apps: Any, schema_editor: Any) -> None:
    """Write the content of each catalogue beside it again, one at a time: a content may have megabytes."""
    body_model = apps.get_model("catalogue", "DocumentBody")
    document_model = apps.get_model("catalogue", "CatalogueDocument")
    for content_hash in body_model.objects.values_list("pk", flat=True):
        body = body_model.objects.values_list("body", flat=True).get(pk=content_hash)
        document_model.objects.filter(content_hash=content_hash).update(body=body)


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0011_share_contents")]

    operations = [
        # On the way back there are rows already, so that the column comes without a value, is filled, and then needs one.
        migrations.AlterField("cataloguedocument", "body", models.BinaryField(null=True, verbose_name="document")),
        migrations.RunPython(migrations.RunPython.noop, write_bodies_back),
        migrations.RemoveField(model_name="cataloguedocument", name="body"),
        migrations.RemoveField(model_name="unitentry", name="search_text"),
        migrations.RemoveField(model_name="unitentry", name="terms"),
    ]

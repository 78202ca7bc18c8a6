"""The queue of prints, for sites of several machines."""

from django.db import models


class PrintLine(models.Model):
    """The one queue that all machines share. `roster.pdf.render_lock` reads and writes `places`, its JSON."""

    places = models.TextField(default="", blank=True)

    def __str__(self) -> str:
        return self.places

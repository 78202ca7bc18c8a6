from django.core.validators import MinValueValidator
from django.db import models

from roster.events.models.event import Event, Participant

TABLE_LENGTH = 20


class Pairing(models.Model):
    """Two players at a round's table. `second` is None for a bye.

    Players see it once it is `published`. Unknown points are None.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="pairings")
    round = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    table = models.CharField(max_length=TABLE_LENGTH)
    place = models.PositiveSmallIntegerField(default=0)
    first = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="pairings_as_first")
    second = models.ForeignKey(
        Participant, on_delete=models.CASCADE, null=True, blank=True, related_name="pairings_as_second"
    )
    first_points = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    second_points = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    published = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("round", "place", "pk")
        constraints = (models.UniqueConstraint(fields=("event", "round", "table"), name="one_pairing_per_table"),)

    def __str__(self) -> str:
        return f"{self.event_id}: {self.round}/{self.table}"

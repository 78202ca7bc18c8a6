from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import PUBLIC_ID_LENGTH, new_public_id


class JobState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


class Job(models.Model):
    """A background job, done in steps by a worker, or by its page if there is none.

    A guest's job has no user: anyone with its address may watch it.

    `arguments` and `payload` are the input, and may change with each step. `result` is JSON with the `address` to
    redirect to, or `wrong` with `findings`. `held_until` keeps two processes from doing the same step; after it, a dead
    step is repeated. `touched` is the time of the last step; a worker did it if `has_worker`.
    """

    public_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="jobs", verbose_name=_("user")
    )
    kind = models.CharField(_("kind"), max_length=40)
    language = models.CharField(_("language"), max_length=10, default=settings.LANGUAGE_CODE)
    name = models.CharField(_("name"), max_length=200)
    state = models.CharField(_("state"), max_length=10, choices=JobState.choices, default=JobState.WAITING)
    arguments = models.JSONField(_("arguments"), default=dict)
    payload = models.BinaryField(_("payload"), default=bytes, editable=False)
    done = models.PositiveIntegerField(_("done"), default=0)
    total = models.PositiveIntegerField(_("total"), default=0)
    result = models.JSONField(_("result"), default=dict)
    has_worker = models.BooleanField(_("has a worker"), default=False)
    held_until = models.DateTimeField(_("held until"), null=True, blank=True)
    touched = models.DateTimeField(_("touched"), auto_now_add=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ("-created", "-pk")
        verbose_name = _("job")
        verbose_name_plural = _("jobs")

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"

    @property
    def is_open(self) -> bool:
        return self.state in (JobState.WAITING, JobState.RUNNING)

    @property
    def percent(self) -> int:
        return min(100, 100 * self.done // self.total) if self.total else 0

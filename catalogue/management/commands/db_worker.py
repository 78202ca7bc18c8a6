"""The worker of the library, for the queues of all kinds of work unless its caller names some."""

from argparse import ArgumentParser

from django_tasks_db.management.commands import db_worker


class Command(db_worker.Command):
    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        # Units of earlier releases name no queue.
        parser.set_defaults(queue_name="*")

"""Run the library's worker for all queues."""

from argparse import ArgumentParser

from django_tasks_db.management.commands import db_worker


class Command(db_worker.Command):
    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        # Service units of earlier releases name no queue.
        parser.set_defaults(queue_name="*")

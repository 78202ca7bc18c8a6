"""Work on all lists of an event in the background: taking in a whole archive or table, checking all of them again."""

from catalogue.services.jobs import register_job

__all__ = ["register_job"]

"""A template tag of comments. My lists and the account's page include their template without depending on this app."""

from django import template
from django.contrib.auth.models import User

from roster.club.services.comment_news import count_new_comments

register = template.Library()


@register.simple_tag(name="count_comments")
def count_comments(user: User) -> int:
    """Count the comments on a user's lists that the user has not seen."""
    return count_new_comments(user)

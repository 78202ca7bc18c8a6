"""Long answers in pieces of a bounded size."""

from rest_framework.pagination import LimitOffsetPagination


class Pages(LimitOffsetPagination):
    """`limit` (at most 200) and `offset`; without them the first 50."""

    default_limit = 50
    max_limit = 200

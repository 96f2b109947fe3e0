"""Reviews: the value of each decision of a match, judged by what its seat knew then."""

from foxden.review.judging import Budget, Worth
from foxden.review.reviewing import (
    VERSION,
    Account,
    Choice,
    Decision,
    NotOver,
    Review,
    chances,
    check_over,
    review,
    reviewed_from,
)

__all__ = [
    "VERSION",
    "Account",
    "Budget",
    "Choice",
    "Decision",
    "NotOver",
    "Review",
    "Worth",
    "chances",
    "check_over",
    "review",
    "reviewed_from",
]

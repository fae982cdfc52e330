"""The query of a request: a parameter that the operation doesn't have is a mistake, and is told as one."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from fastapi import Request
from fastapi.routing import APIRoute

from app.problems import FieldError, Problem

_SHOWN_CHARACTERS = 64
_SHOWN_ERRORS = 5


async def refuse_unknown_parameters(request: Request) -> None:
    """A dependency of routes: an unknown or repeated parameter would silently mean another question.

    Raises Problem 422, which names the first few of them.
    """
    route = request.scope["route"]
    known = [each.alias for each in route.dependant.query_params] if isinstance(route, APIRoute) else []
    given = Counter(name for name, _ in request.query_params.multi_items())
    errors = list(_errors(given, known))[:_SHOWN_ERRORS]
    if errors:
        detail = "; ".join(f"{each.field}: {each.sentence}" for each in errors)
        raise Problem(422, "invalid", detail, errors=errors)


def _errors(given: Mapping[str, int], known: Collection[str]) -> Iterator[FieldError]:
    """What is wrong with parameters, which are given so many times each."""
    unknown = (
        f"is no parameter here; known are {', '.join(known)}" if known else "this address takes no parameters"
    )
    for name, count in given.items():
        if name not in known:
            yield FieldError(field=name[:_SHOWN_CHARACTERS], sentence=unknown)
        elif count > 1:
            yield FieldError(field=name, sentence="is given more than once")

"""Which methods an address takes, over all of its routes."""

from collections.abc import Sequence
from functools import lru_cache
from re import Pattern

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import compile_path


def allowed_methods(app: FastAPI, path: str) -> list[str]:
    """The methods that the path can be asked by, sorted. What answers GET answers HEAD."""
    found = {method for pattern, methods in _table(app) if pattern.match(path) for method in methods}
    return sorted(found | {"HEAD"} if "GET" in found else found)


@lru_cache(maxsize=1)
def _table(app: FastAPI) -> Sequence[tuple[Pattern[str], frozenset[str]]]:
    """All routes, in a form that is quick to ask: they are those of an application that is complete."""
    return [
        (compile_path(context.path)[0], frozenset(context.methods))
        for context in iter_route_contexts(app.routes)
        if context.path is not None and context.methods
    ]

"""Whether this server is alive and able to serve, for those who watch over it."""

from collections.abc import Callable, Mapping

from fastapi import APIRouter
from pydantic import BaseModel, Field

from app.observability import Check, failing
from app.problems import Problem, problem_responses


class Health(BaseModel):
    """That all is well."""

    status: str = Field(examples=["ready"])


def make_health_router(
    checks: Mapping[str, Check], is_draining: Callable[[], bool] = lambda: False
) -> APIRouter:
    """`/healthz` and `/readyz`; the names of the checks are what the latter says is missing.

    A server that `is_draining` is on its way out: it is alive, and nobody is to be sent to it.
    """
    router = APIRouter(tags=["health"])

    @router.get("/healthz")
    async def is_alive() -> Health:
        """The process runs."""
        return Health(status="alive")

    @router.get("/readyz", responses=problem_responses(Problem(503, "not_ready", "no answer from: database")))
    async def is_ready() -> Health:
        """Everything that serving needs answers."""
        if is_draining():
            raise Problem(503, "not_ready", "this server is about to stop")
        missing = await failing(checks)
        if missing:
            raise Problem(503, "not_ready", f"no answer from: {', '.join(missing)}")
        return Health(status="ready")

    return router

"""Variants over REST: the presets, making one's own, and finding one by id or code."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Request, Response

from app.accounts.attempts import address_of
from app.accounts.identity import Identify
from app.accounts.making import VARIANT, Making
from app.accounts.origins import make_origin_check
from app.accounts.refusing import too_many_made
from app.accounts.routes import make_require_identity
from app.clock import Now, now_ms
from app.config import Settings
from app.db import Database
from app.problems import FieldError, Problem, problem_responses
from app.rules.custom import custom_variant, parameters_of
from app.rules.plain import variant_shown
from app.rules.presets import MY_YAHTZEE, PRESET_BY_ID, PRESETS, for_seats
from app.rules.variant import InvalidVariant, Variant
from app.variant_parts import DescribedAs, VariantParameters, VariantPart
from app.variants.finding import make_find_variant
from app.variants.repository import VariantTaken, add_variant

_Name = Annotated[str, Path(max_length=64, description="the id of a variant, or its code")]
# Read by the rules, so that the error names the parameter: here it may be anything.
_Parameters = Annotated[
    Any,
    DescribedAs(VariantParameters),
    Body(
        description="The parameters of docs/rules.md, Custom variants", examples=[parameters_of(MY_YAHTZEE)]
    ),
]


def make_router(
    database: Database, identify: Identify, settings: Settings, *, now: Now = now_ms
) -> APIRouter:
    """The routes. Unsafe ones refuse the pages of other sites."""
    checks = [Depends(make_origin_check(settings.allowed_origins))]
    router = APIRouter(prefix="/api/variants", tags=["variants"], dependencies=checks)
    require = make_require_identity(identify)
    find_variant = make_find_variant(database)
    making = Making(database, settings, now=now)

    @router.get("", response_model=None, responses=_answer(list[VariantPart], [variant_shown(MY_YAHTZEE)]))
    async def variants() -> list[dict[str, Any]]:
        """The variants that ship, with all their parameters."""
        return [variant_shown(variant) for variant in PRESETS]

    @router.post(
        "",
        status_code=201,
        response_model=None,
        responses=_shown(201)
        | _shown(200, "It is there already")
        | problem_responses(401, 403, _taken(), _invalid("dice", "5 or 6"), too_many_made(VARIANT, 60), 503),
    )
    async def make_variant(request: Request, response: Response, parameters: _Parameters) -> dict[str, Any]:
        """Keep a variant. The same parameters are the same variant, whoever makes it and how often."""
        await require(request)
        variant = _read(parameters)
        await making.begin(VARIANT, address=address_of(request))
        if not await _keep(database, variant, now()):
            response.status_code = 200
        return variant_shown(variant)

    @router.post(
        "/preview",
        response_model=None,
        responses=_shown() | problem_responses(403, _invalid("dice", "5 or 6")),
    )
    async def preview_variant(parameters: _Parameters) -> dict[str, Any]:
        """The variant that these parameters make. Nothing is kept."""
        return variant_shown(_read(parameters))

    @router.get(
        "/{name}",
        response_model=None,
        responses=_shown() | problem_responses(_unknown(), 422, 503),
    )
    async def variant_named(name: _Name) -> dict[str, Any]:
        """A variant by its id or its code; a code may be typed in any case."""
        variant = await find_variant(name)
        if variant is None:
            raise _unknown()
        return variant_shown(variant)

    return router


def _read(parameters: Any) -> Variant:
    try:
        return custom_variant(parameters)
    except InvalidVariant as error:
        raise _invalid(error.field, error.sentence) from None


async def _keep(database: Database, variant: Variant, now: int) -> bool:
    """Keep a variant, and what a table of one plays of it, under their codes; False when they are there."""
    wanted = {one.id: one for one in (variant, for_seats(variant, 1)) if one.id not in PRESET_BY_ID}
    try:
        async with database.session() as session:
            added = [await add_variant(session, one, now) for one in wanted.values()]
    except VariantTaken:
        raise _taken() from None
    return any(added)


def _shown(status: int = 200, description: str = "") -> dict[int | str, dict[str, Any]]:
    """A variant as an answer, for OpenAPI."""
    return _answer(VariantPart, variant_shown(MY_YAHTZEE), status, description)


def _answer(
    model: Any, example: Any, status: int = 200, description: str = ""
) -> dict[int | str, dict[str, Any]]:
    """An answer with its form and an example, for OpenAPI. It is made by the rules, and not by the model."""
    answer = {"model": model, "content": {"application/json": {"example": example}}}
    return {status: answer | ({"description": description} if description else {})}


def _invalid(field: str, sentence: str) -> Problem:
    errors = [FieldError(field=field, sentence=sentence)]
    return Problem(422, "invalid_variant", f"{field}: {sentence}", errors=errors)


def _taken() -> Problem:
    sentence = "another variant has the code of this one; change any parameter, such as the order of columns"
    return Problem(409, "variant_taken", sentence)


def _unknown() -> Problem:
    return Problem(404, "unknown_variant", "no variant has that id or code")

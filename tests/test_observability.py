"""What the logs say, and what they never say."""

import logging
from typing import Literal

import pytest

from app.observability import configure_logging

_SECRET = b"geheim"


pytestmark = pytest.mark.usefixtures("restored_logging")


def fail(secret: bytes) -> None:
    raise ValueError(len(secret))


@pytest.mark.parametrize("layout", ["console", "json"])
def test_a_traceback_shows_no_values(
    capsys: pytest.CaptureFixture[str], layout: Literal["console", "json"]
) -> None:
    configure_logging("info", layout)

    try:
        fail(_SECRET)
    except ValueError:
        logging.getLogger("uvicorn.error").exception("a defect")

    log = capsys.readouterr().err
    assert "a defect" in log
    assert "ValueError" in log
    assert "geheim" not in log


@pytest.mark.parametrize("library", ["uvicorn.error", "websockets", "aiosqlite", "asyncio"])
def test_what_passes_through_libraries_is_not_logged(
    capsys: pytest.CaptureFixture[str], library: str
) -> None:
    configure_logging("debug", "json")

    logging.getLogger(library).debug("< authorization: Bearer geheim")
    logging.getLogger("app.rooms").debug("no beat sent")

    log = capsys.readouterr().err
    assert "geheim" not in log
    assert "no beat sent" in log


def test_no_line_is_said_again_in_colors(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("info", "console")

    colors = {"color_message": "Started server process [\x1b[36m%d\x1b[0m]"}
    logging.getLogger("uvicorn.error").warning("Started server process [%d]", 7, extra=colors)

    log = capsys.readouterr().err
    assert log.count("Started server process") == 1
    assert "color_message" not in log


def test_libraries_say_no_more_than_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("error", "console")

    logging.getLogger("uvicorn.error").info("started")
    logging.getLogger("app.rooms").warning("no answer")

    assert capsys.readouterr().err == ""

"""A whole game of classic-5x4 between two browsers, from the home page to the leaderboard."""

import re

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from tests.conftest import StartApp

PHONE = {"width": 360, "height": 640}
DESKTOP = {"width": 1280, "height": 800}
TURNS = 48


@pytest.mark.timeout(420)
async def test_two_friends_play_a_whole_game_in_their_browsers(start_app: StartApp, browser: Browser) -> None:
    base_url = start_app().base_url
    async with (
        await browser.new_context(viewport=PHONE, base_url=base_url) as at_home,  # type: ignore[arg-type]
        await browser.new_context(viewport=DESKTOP, base_url=base_url) as at_work,  # type: ignore[arg-type]
    ):
        lija, medo = await _meet(at_home, at_work)
        await _play([lija, medo])
        for page in (lija, medo):
            await expect(page.get_by_test_id("result")).to_be_visible()
            await expect(page.get_by_test_id("result")).to_contain_text("Lija")
            await expect(page.get_by_test_id("result")).to_contain_text("Medo")
        await _find_on_the_leaderboard(lija)


async def _meet(at_home: BrowserContext, at_work: BrowserContext) -> tuple[Page, Page]:
    """Lija makes a room, Medo follows the link; both ready, the game started."""
    lija, medo = await at_home.new_page(), await at_work.new_page()
    await lija.goto("/")
    await lija.get_by_test_id("name").fill("Lija")
    await lija.get_by_test_id("play-friends").click()
    await lija.wait_for_url(re.compile(r"/rooms/[A-Z]+$"))
    await medo.goto(lija.url)
    await medo.get_by_test_id("name").fill("Medo")
    await medo.get_by_test_id("join").click()
    for page in (lija, medo):
        await page.get_by_test_id("ready").click()
    await lija.get_by_test_id("start").click()
    return lija, medo


async def _play(pages: list[Page]) -> None:
    """Turn by turn: roll, now and then hold and roll again or announce, then write the first legal cell."""
    for turn in range(TURNS * len(pages)):
        mine, other = pages[turn % len(pages)], pages[(turn + 1) % len(pages)]
        await mine.get_by_test_id("roll").click()
        await _wait_for_dice(mine)
        await _follow(mine, other)
        await _write(mine, announcing=turn % 7 == 3)


async def _wait_for_dice(page: Page) -> None:
    await expect(page.get_by_test_id("die-0")).to_have_attribute("aria-label", re.compile(r": "))


async def _follow(mine: Page, other: Page) -> None:
    """The other screen shows the same dice."""
    faces = await mine.get_by_test_id("die-0").get_attribute("data-face")
    assert faces is not None
    await expect(other.get_by_test_id("die-0")).to_have_attribute("data-face", faces)


async def _write(page: Page, *, announcing: bool) -> None:
    raise NotImplementedError

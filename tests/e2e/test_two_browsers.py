"""A whole game of classic-5x4 between two browsers, from the home page to the leaderboard.

One of the two wants no motion; the other has seen enough of it after some turns.
"""

import re
from contextlib import suppress

import pytest
from playwright.async_api import Browser, BrowserContext, Page, ViewportSize, expect
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from tests.conftest import StartApp

PHONE: ViewportSize = {"width": 360, "height": 640}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
TURNS = 48
MOVING_TURNS = 16
DICE = 5
AGAIN_MS = 8_000


@pytest.mark.timeout(900)
async def test_two_friends_play_a_whole_game_in_their_browsers(start_app: StartApp, browser: Browser) -> None:
    base_url = start_app().base_url
    async with (
        await browser.new_context(viewport=PHONE, base_url=base_url, reduced_motion="reduce") as at_home,
        await browser.new_context(viewport=DESKTOP, base_url=base_url) as at_work,
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
    """Turn by turn; each seventh turn announces, so that the other's screen must show it."""
    for turn in range(TURNS * len(pages)):
        mine, other = pages[turn % len(pages)], pages[(turn + 1) % len(pages)]
        if turn == MOVING_TURNS:
            await mine.emulate_media(reduced_motion="reduce")
            await other.emulate_media(reduced_motion="reduce")
        await _roll(mine, other)
        if turn % 7 == 3 and await mine.get_by_test_id("announce").is_visible():
            await _announce(mine, other)
        # With only announced cells left there is nothing to roll for before the announcement.
        if turn % 2 and await mine.get_by_test_id("roll").is_enabled():
            await _hold_and_roll_again(mine, other)
        await _write(mine)


async def _roll(mine: Page, other: Page) -> None:
    """The big button rolls, and the other screen shows the same dice."""
    await mine.get_by_test_id("roll").click()
    first_die = mine.get_by_test_id("die-0")
    await expect(first_die).not_to_have_attribute("data-face", "0")
    await expect(first_die).to_be_enabled()
    faces = await _faces(mine)
    assert len(faces) == DICE
    assert await _faces_like(other, faces) == faces


async def _hold_and_roll_again(mine: Page, other: Page) -> None:
    """A held die is shown as held on both screens and keeps its face."""
    before = await _faces(mine)
    first = mine.get_by_test_id("die-0")
    # An announced number holds its dice by itself: to press one of them would let it go.
    if await first.get_attribute("aria-pressed") != "true":
        await first.click()
    for page in (mine, other):
        await expect(page.get_by_test_id("die-0")).to_have_attribute("aria-pressed", "true")
    await mine.get_by_test_id("roll").click()
    await expect(mine.get_by_test_id("roll")).to_contain_text("Roll 3")
    after = await _faces(mine)
    assert after[0] == before[0]
    assert await _faces_like(other, after) == after


async def _announce(mine: Page, other: Page) -> None:
    """Announce mode, a cell, and the banner on both screens."""
    await mine.get_by_test_id("announce").click()
    await mine.locator("button[data-cell^='announced/']").first.click()
    await mine.get_by_test_id("announce").click()
    for page in (mine, other):
        await expect(page.get_by_test_id("banner")).to_be_visible()


async def _write(mine: Page) -> None:
    """Arms the first legal cell and writes it by the dock, which also asks before a zero."""
    cell = mine.locator("button[data-cell]").first
    await cell.click()
    write = mine.get_by_test_id("write")
    await write.click()
    with suppress(AssertionError):
        await expect(write).to_be_hidden(timeout=AGAIN_MS)
        return
    # As a person does: on a machine that is busy for seconds a page may have no connection for a moment.
    with suppress(PlaywrightTimeoutError):
        await write.click(timeout=AGAIN_MS)
    await expect(write).to_be_hidden()


async def _faces(page: Page) -> list[str]:
    """What the dice show, read at one moment."""
    faces: list[str] = await page.locator("[data-testid^='die-']").evaluate_all(
        "dice => dice.map((die) => die.dataset.face)"
    )
    return faces


async def _faces_like(page: Page, faces: list[str]) -> list[str]:
    """The faces on a screen, once its dice show what is expected."""
    for die, face in enumerate(faces):
        await expect(page.get_by_test_id(f"die-{die}")).to_have_attribute("data-face", face)
    return await _faces(page)


async def _find_on_the_leaderboard(page: Page) -> None:
    """From the end of the game by its links: the record with checked dice, and both results on the board."""
    await page.get_by_test_id("game-link").click()
    await page.get_by_test_id("check-dice").click()
    verdict = page.get_by_test_id("dice-verdict")
    await expect(verdict).to_contain_text("all are right")
    await expect(page.get_by_test_id("dice-verdict")).to_contain_text(
        "the one this device saw before it sent"
    )
    await expect(verdict).to_contain_text("Your text is in it.")
    await page.goto("/leaderboards?variant=classic-5x4")
    rows = page.get_by_test_id("leaderboard-row")
    await expect(rows).to_have_count(2)
    await expect(rows.filter(has_text="Lija")).to_have_count(1)
    await expect(rows.filter(has_text="Medo")).to_have_count(1)

"""A table with real dice in two browsers: the pad, several seats on one device, announcements, the end."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, Page, expect

from tests.browser.axe import expect_no_findings
from tests.browser.players import DESKTOP, PHONE, SMALL, open_page, second_socket
from tests.e2e.table_client import TableClient

STRAIGHT = "free/straight"


@asynccontextmanager
async def own_table(base_url: str, browser: Browser) -> AsyncIterator[tuple[Page, Page]]:
    """Lija and, on her device, Ana; Medo at a computer. The game has begun."""
    async with open_page(browser, base_url) as lija, open_page(browser, base_url, DESKTOP) as medo:
        await lija.goto("/")
        await lija.get_by_test_id("name").fill("Lija")
        await lija.get_by_test_id("own-dice").click()
        await lija.wait_for_url(re.compile(r"/rooms/[A-Z]+$"))
        await lija.get_by_test_id("further-name").fill("Ana")
        await lija.get_by_test_id("further-seat").click()
        await expect(lija.get_by_test_id("seats")).to_contain_text("at this device")
        await medo.goto(lija.url)
        await medo.get_by_test_id("name").fill("Medo")
        await medo.get_by_test_id("join").click()
        await medo.get_by_test_id("ready").click()
        await lija.get_by_test_id("ready").click()
        await lija.get_by_test_id("start").click()
        await expect(lija.get_by_test_id("status")).to_have_text("Lija: roll, then tap a cell")
        yield lija, medo


async def tap(page: Page, name: str) -> None:
    await page.locator(f"[data-cell='{name}']").first.click()


async def expect_score(page: Page, name: str, score: str) -> None:
    await expect(page.locator(f".mine [data-at='{name}']")).to_have_text(re.compile(rf"^{score}\b"))


async def test_the_pad_offers_what_the_row_can_have_and_asks_before_it_replaces(
    base_url: str, browser: Browser
) -> None:
    async with own_table(base_url, browser) as (lija, medo):
        await tap(lija, STRAIGHT)
        values = lija.get_by_test_id("pad").locator(".pad-values button")
        await expect(values).to_have_text(["0", "46", "56", "66"])
        await expect_no_findings(lija, "pad")
        await lija.get_by_test_id("value-46").click()
        await expect_score(lija, STRAIGHT, "46")
        await expect(medo.locator(f".other-sheet [data-at='{STRAIGHT}']").first).to_contain_text("46")
        await tap(lija, STRAIGHT)
        await lija.get_by_test_id("value-56").click()
        await expect(lija.get_by_test_id("pad-confirm")).to_have_text("Replace 46 by 56")
        await lija.get_by_test_id("pad-keep").click()
        await expect_score(lija, STRAIGHT, "46")
        await tap(lija, STRAIGHT)
        await lija.get_by_test_id("value-56").click()
        await lija.get_by_test_id("pad-confirm").click()
        await expect_score(lija, STRAIGHT, "56")
        await tap(lija, STRAIGHT)
        await lija.get_by_test_id("pad-empty").click()
        await lija.get_by_test_id("pad-confirm").click()
        await expect(lija.locator(f".mine [data-at='{STRAIGHT}']")).to_have_text("")


async def test_a_typed_value_the_row_can_not_have_is_framed_and_said(base_url: str, browser: Browser) -> None:
    async with own_table(base_url, browser) as (lija, _):
        await tap(lija, STRAIGHT)
        typed = lija.get_by_test_id("pad-typed")
        await typed.fill("50")
        await typed.press("Enter")
        await expect(typed).to_have_attribute("aria-invalid", "true")
        await expect(lija.locator("#pad-problem")).to_have_text("Straight can be 0, 46, 56, or 66")
        await typed.fill("66")
        await typed.press("Enter")
        await expect_score(lija, STRAIGHT, "66")


async def test_dice_that_are_tapped_are_scored(base_url: str, browser: Browser) -> None:
    async with own_table(base_url, browser) as (lija, _):
        await tap(lija, "free/sixes")
        for face in (6, 6, 1, 3, 6, 2):
            await lija.get_by_test_id(f"face-{face}").click()
        await lija.get_by_test_id("dice-value-18").click()
        await expect_score(lija, "free/sixes", "18")
        await tap(lija, STRAIGHT)
        for face in (6, 5, 4, 3, 2, 2):
            await lija.get_by_test_id(f"face-{face}").click()
        await expect(lija.locator("[data-testid^=dice-value-]")).to_have_text(
            ["Write 46", "Write 56", "Write 66"]
        )


async def test_one_device_writes_in_two_sheets_and_orders_hold(base_url: str, browser: Browser) -> None:
    async with own_table(base_url, browser) as (lija, medo):
        await lija.get_by_test_id("chip-1").click()
        assert await lija.get_by_test_id("chip-1").get_attribute("aria-haspopup") is None
        await expect(lija.get_by_test_id("status")).to_have_text("Ana: roll, then tap a cell")
        await tap(lija, "down/twos")
        await expect(lija.get_by_test_id("status")).to_contain_text("Ones")
        await tap(lija, "down/ones")
        await lija.get_by_test_id("value-3").click()
        await expect_score(lija, "down/ones", "3")
        await tap(lija, "down/twos")
        await lija.get_by_test_id("value-0").click()
        await expect(lija.get_by_test_id("pad-confirm")).to_have_text("Cross out")
        await lija.get_by_test_id("pad-confirm").click()
        await expect(lija.locator(".mine [data-at='down/twos']")).to_contain_text("0")
        await lija.get_by_test_id("clear").click()
        await lija.get_by_test_id("clear-all").click()
        await expect(lija.locator(".mine [data-at='down/ones']")).to_have_text("")
        await lija.get_by_test_id("chip-2").click()
        await expect(lija.locator(".mine")).to_be_hidden()
        await expect(medo.get_by_test_id("status")).to_have_text("Roll your dice, then tap a cell")


async def test_an_announcement_is_on_every_screen(base_url: str, browser: Browser) -> None:
    async with own_table(base_url, browser) as (lija, medo):
        await lija.get_by_test_id("announce").click()
        await tap(lija, "announced/sixes")
        for page in (lija, medo):
            await expect(page.get_by_test_id("banner")).to_have_text("Lija announces Sixes.")
        await expect_no_findings(lija, "announced with own dice")
        await lija.get_by_test_id("withdraw").click()
        await expect(medo.get_by_test_id("banner")).to_be_hidden()


async def test_who_leaves_with_real_dice_can_take_the_sheet_back(base_url: str, browser: Browser) -> None:
    async with own_table(base_url, browser) as (lija, medo):
        await medo.get_by_test_id("more").click()
        await medo.get_by_test_id("leave-game").click()
        await medo.get_by_test_id("ask-yes").click()
        await expect(medo.get_by_test_id("status")).to_have_text("You left the game.")
        await expect(lija.get_by_test_id("chip-2")).to_contain_text("left the game")
        await medo.get_by_test_id("more").click()
        await medo.get_by_test_id("take-back").click()
        await expect(medo.get_by_test_id("status")).to_have_text("Roll your dice, then tap a cell")
        await tap(medo, STRAIGHT)
        await expect(medo.get_by_test_id("pad")).to_be_visible()


async def test_the_table_fits_a_phone_and_every_button_a_thumb(base_url: str, browser: Browser) -> None:
    async with own_table(base_url, browser) as (lija, _):
        await tap(lija, STRAIGHT)
        await lija.get_by_test_id("value-46").click()
        for viewport in (PHONE, SMALL, DESKTOP):
            await lija.set_viewport_size(viewport)
            assert await lija.evaluate("document.documentElement.scrollWidth <= innerWidth")
            await tap(lija, "free/max")
            small = "(all) => all.filter((one) => one.offsetHeight < 44 || one.offsetWidth < 44).length"
            assert await lija.locator(".pad button").evaluate_all(small) == 0
            await lija.keyboard.press("Escape")
        await expect_no_findings(lija, "own dice")


async def test_full_sheets_end_it_with_places_and_without_a_leaderboard(
    base_url: str, browser: Browser
) -> None:
    async with own_table(base_url, browser) as (lija, medo):
        async with second_socket(lija, base_url) as first, second_socket(medo, base_url) as second:
            await fill_all(first, 0)
            await fill_all(first, 1)
            await fill_all(second, 2)
        await expect(lija.get_by_text("nobody can check them")).to_be_visible()
        await expect(lija.get_by_test_id("game-link")).to_have_count(0)
        await expect_no_findings(lija, "end with own dice")
        await lija.get_by_test_id("replay-open").click()
        await expect(lija.get_by_test_id("replay-position")).to_have_text("Entry 0 of 351")
        await lija.keyboard.press("ArrowRight")
        await expect(lija.get_by_test_id("replay-position")).to_have_text("Entry 1 of 351")
        await expect(lija.get_by_test_id("replay-events")).to_contain_text("Lija writes 5 in ones, down.")
        # The next game of this room isn't replayed where this one was.
        await lija.wait_for_url(re.compile(r"\?game=\w+&move=1$"))
        await lija.reload()
        await expect(lija.get_by_test_id("replay-position")).to_have_text("Entry 1 of 351")
        await lija.goto(re.sub(r"game=\w+", "game=another", lija.url))
        await expect(lija.get_by_test_id("replay-open")).to_be_visible()


async def fill_all(player: TableClient, seat: int) -> None:
    """Every cell of a sheet, each with the most that its row can have."""
    while (own := player.state["own"]) is not None and own["seats"][seat]["open"]:
        column, rows = next(iter(own["seats"][seat]["open"].items()))
        action = {"type": "fill", "column": column, "row": rows[0], "score": own["values"][rows[0]][-1]}
        await player.must(type="sheet", seat=seat, action=action)

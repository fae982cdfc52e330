"""axe finds nothing on any screen, in both themes, at 320, 360 and 1280 px."""

import random

from playwright.async_api import Browser, Page, expect

from tests.browser.axe import expect_no_findings
from tests.browser.players import (
    make_table,
    open_page,
    play_a_turn,
    play_to_the_end,
    second_socket,
    sit_opposite,
    start_game,
    start_solo,
)
from tests.conftest import StartApp


async def test_pages_without_a_game(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        for path in ("/", "/leaderboards", "/rules", "/fair", "/games/nothing"):
            await page.goto(path)
            await expect(page.get_by_text("Loading")).to_have_count(0)
            await expect_no_findings(page, path)
        await page.goto("/")
        await page.get_by_test_id("menu").click()
        await expect_no_findings(page, "menu")
        await page.get_by_role("button", name="Help: keys and signs").click()
        await expect_no_findings(page, "help")


async def test_the_room_before_the_start(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page, open_page(browser, base_url) as guest:
        code = await make_table(page)
        await guest.goto(f"/rooms/{code}")
        await expect(guest.get_by_test_id("join")).to_be_visible()
        await expect_no_findings(guest, "guest")
        await guest.get_by_test_id("join").click()
        await page.get_by_test_id("ready").click()
        await expect(guest.get_by_test_id("leave")).to_be_visible()
        await expect_no_findings(page, "lobby of the host")
        await expect_no_findings(guest, "lobby of a guest")


async def test_the_table_in_my_turn(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        code = await make_table(page)
        async with sit_opposite(base_url, code):
            await start_game(page)
            await expect_no_findings(page, "before the first roll")
            await page.get_by_test_id("roll").click()
            await page.get_by_test_id("die-0").click()
            await expect_no_findings(page, "after the first roll, a die held")
            await page.locator("button[data-cell^='free/']").first.click()
            await expect_no_findings(page, "armed")
            await page.get_by_test_id("cancel").click()
            await page.get_by_test_id("announce").click()
            await expect_no_findings(page, "announce mode")
            await page.locator("button[data-cell^='announced/']").first.click()
            await page.get_by_test_id("announce").click()
            await expect(page.get_by_test_id("banner")).to_be_visible()
            await expect_no_findings(page, "announced")


async def test_the_table_with_dialogs_and_anothers_sheet(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        code = await make_table(page)
        async with sit_opposite(base_url, code) as medo:
            await start_game(page)
            async with second_socket(page, base_url) as lija:
                await _play_some_turns(lija, medo)
            await page.get_by_test_id("chip-1").click()
            await expect_no_findings(page, "another's sheet")
            await page.get_by_test_id("more").click()
            await expect_no_findings(page, "more")
            await page.get_by_test_id("moves-open").click()
            await expect_no_findings(page, "moves")


async def test_a_finished_game(start_app: StartApp, browser: Browser) -> None:
    base_url = start_app().base_url
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        async with second_socket(page, base_url) as lija:
            await play_to_the_end([lija])
        await expect(page.get_by_test_id("result")).to_be_visible()
        you = page.get_by_test_id("result").get_by_test_id("player-link")
        await expect(you).to_have_attribute("href", f"/players/{lija.you['player']}")
        await expect_no_findings(page, "game over")
        await page.get_by_test_id("panel-open").click()
        await expect(page.get_by_test_id("panel-0")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.get_by_test_id("game-link")).to_be_visible()
        await page.get_by_test_id("replay-link").click()
        await expect(page.get_by_test_id("replay-position")).to_have_text("Turn 0 of 48")
        await _check_the_dice(page)
        await expect_no_findings(page, "finished game")
        await page.goto("/leaderboards?variant=classic-5x4")
        await expect(page.get_by_test_id("leaderboard-row")).to_have_count(1)
        await expect_no_findings(page, "leaderboard")


async def _check_the_dice(page: Page) -> None:
    await page.get_by_test_id("check-dice").click()
    await expect(page.get_by_test_id("dice-verdict")).to_contain_text("all are right")


async def _play_some_turns(*players: object) -> None:
    chance = random.Random(3)
    for _ in range(6):
        for player in players:
            await play_a_turn(player, chance)  # type: ignore[arg-type]

"""The score panel at a table: by chip, menu and key, with the server's figures, kept up to date."""

import random

from playwright.async_api import Browser, Page, expect

from tests.browser.axe import expect_no_findings
from tests.browser.players import (
    DESKTOP,
    PHONE,
    SMALL,
    make_table,
    open_page,
    play_a_turn,
    second_socket,
    sit_opposite,
    start_game,
    start_solo,
)
from tests.e2e.table_client import TableClient

_DIALOG_SPILLS = "() => [document.querySelector('dialog')].some((one) => one.scrollWidth > one.clientWidth)"


async def expect_figures(page: Page, seat: int, part: str, *figures: str) -> None:
    """The four figures of a line: points and share now, points and share still possible."""
    for place, figure in enumerate(figures):
        cell = page.get_by_test_id(f"panel-{seat}").get_by_test_id(f"{part}-{place}")
        await expect(cell).to_have_text(figure)


async def test_my_chip_opens_the_panel_and_an_entry_changes_it(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        await page.get_by_test_id("chip-0").click()
        await expect_figures(page, 0, "total", "0", "0.0%", "2,168", "100.0%")
        await page.keyboard.press("Escape")
        await expect(page.get_by_test_id("panels")).to_have_count(0)
        await page.get_by_test_id("roll").click()
        await expect(page.locator("[data-cell='free/yamb']")).to_be_visible()
        await page.keyboard.press("Shift+KeyS")
        await expect_figures(page, 0, "lower", "0", "0.0%", "1,128", "100.0%")
        async with second_socket(page, page.url.rpartition("/rooms/")[0]) as lija:
            score = lija.state["turn"]["legal"]["scores"]["max"]
            await lija.act(type="fill", column="free", row="max")
        middle = 500 - 5 * (30 - score)
        await expect_figures(page, 0, "middle", "0", "0.0%", str(middle), f"{middle / 5:.1f}%")


async def test_the_panel_shows_every_seat_mine_first_and_axe_finds_nothing(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url, DESKTOP) as page:
        code = await make_table(page)
        async with sit_opposite(base_url, code) as medo:
            await start_game(page)
            async with second_socket(page, base_url) as lija:
                await _play(lija, medo)
            await page.get_by_test_id("more").click()
            await page.get_by_test_id("panel-open").click()
            await expect(page.get_by_test_id("panels").locator("caption")).to_contain_text(["Lija", "Medo"])
            total = str(lija.state["sheets"][0]["total"])
            await expect(page.get_by_test_id("panel-0").get_by_test_id("total-0")).to_have_text(total)
            await expect_no_findings(page, "score panel")
            for viewport in (PHONE, SMALL):
                await page.set_viewport_size(viewport)
                assert await page.evaluate(_DIALOG_SPILLS) is False


async def _play(*players: TableClient) -> None:
    chance = random.Random(3)
    for _ in range(8):
        for player in players:
            await play_a_turn(player, chance)

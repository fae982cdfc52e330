"""An entry taken back at a table: by the dock, the list of moves and a key, while nobody has rolled."""

import re

from playwright.async_api import Browser, Page, expect

from tests.browser.axe import expect_no_findings
from tests.browser.players import (
    make_table,
    open_page,
    sit_opposite,
    start_game,
    start_solo,
)

MAX = "[data-cell='free/max']"


async def roll_and_write(page: Page) -> str:
    """Roll, write in free max, and return the score."""
    await page.get_by_test_id("roll").click()
    await page.locator(MAX).first.click()
    await page.get_by_test_id("write").click()
    await expect(page.get_by_test_id("dock-undo")).to_be_visible()
    return await page.locator(MAX).first.inner_text()


async def faces(page: Page) -> list[str]:
    """What lies on the table once it is at rest, by the dice's own names."""
    dice = await page.locator(".dock [data-testid^=die-]").all()
    for die in dice:
        await expect(die).not_to_have_attribute("aria-label", re.compile("not rolled"))
    return [str(await die.get_attribute("aria-label")) for die in dice]


async def test_a_solo_entry_goes_back_by_the_dock_and_the_same_dice_lie_there(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        await page.get_by_test_id("roll").click()
        await expect(page.locator(MAX).first).to_be_visible()
        before = await faces(page)
        await page.locator(MAX).first.click()
        await page.get_by_test_id("write").click()
        await page.get_by_test_id("dock-undo").click()
        await expect(page.get_by_test_id("dock-undo")).to_be_hidden()
        await expect(page.get_by_test_id("roll")).to_contain_text("2")
        assert await faces(page) == before
        await page.locator(MAX).first.click()
        await page.get_by_test_id("write").click()
        await expect(page.get_by_test_id("dock-undo")).to_be_visible()
        await expect_no_findings(page, "undo offered")
        await page.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("dock-undo")).to_be_hidden()


async def test_the_key_and_the_list_of_moves_take_an_entry_back(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        await roll_and_write(page)
        await page.keyboard.press("KeyU")
        await expect(page.get_by_test_id("dock-undo")).to_be_hidden()
        await page.locator(MAX).first.click()
        await page.get_by_test_id("write").click()
        await page.get_by_test_id("more").click()
        await page.get_by_test_id("moves-open").click()
        await page.locator("[data-move='undo']").click()
        await expect(page.locator("[data-move='undo']")).to_have_count(0)
        await expect(page.locator("[data-move='fill/free/max']")).to_be_visible()


async def test_the_host_offers_undo_to_a_table_and_only_the_writer_is_offered_it(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page, open_page(browser, base_url) as other:
        code = await make_table(page, "classic-5x4")
        await other.goto(f"/rooms/{code}")
        await other.get_by_test_id("watch").click()
        await expect(other.get_by_text("Entries can be undone")).to_be_hidden()
        await page.get_by_test_id("undoing").check()
        await expect(other.get_by_text("Entries can be undone")).to_be_visible()
        async with sit_opposite(base_url, code) as medo:
            await page.get_by_test_id("max-seats").select_option("3")
            await expect(page.get_by_test_id("undoing")).to_be_checked()
            await medo.must(type="ready", ready=True)
            await start_game(page)
            score = await roll_and_write(page)
            await expect(other.get_by_test_id("dock-undo")).to_be_hidden()
            await page.get_by_test_id("dock-undo").click()
            await expect(page.get_by_test_id("roll")).to_contain_text("2")
            await page.locator(MAX).first.click()
            await page.get_by_test_id("write").click()
            await expect(page.locator(MAX).first).to_contain_text(score.split()[0])
            await medo.wait_until(lambda: medo.state["turn"]["seat"] == 1)
            await medo.act(type="roll", hold=[])
            await expect(page.get_by_test_id("dock-undo")).to_be_hidden()

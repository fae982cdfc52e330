"""A whole game through the list of moves alone: nothing else of the table is touched."""

from playwright.async_api import Browser, Page, expect

from tests.browser.players import PHONE, open_page, start_solo

TURNS = 48


async def test_a_whole_game_through_the_list_of_moves(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url, PHONE) as page:
        await start_solo(page)
        await page.get_by_test_id("more").click()
        await page.get_by_test_id("moves-open").click()
        for turn in range(TURNS):
            await _play_turn(page, turn)
        await expect(page.get_by_test_id("result")).to_be_visible()


async def _play_turn(page: Page, turn: int) -> None:
    await page.locator("[data-move='roll']", has_text="Roll 1").click()
    await expect(page.get_by_test_id("moves-state")).to_contain_text("Roll 1 of 3")
    announcements = page.locator("[data-move^='announce/']")
    if turn % 8 == 2 and await announcements.count():
        await announcements.first.click()
        await expect(announcements).to_have_count(0)
    roll = page.locator("[data-move='roll']")
    if turn % 3 == 0 and await roll.count():
        await page.get_by_test_id("move-die-0").click()
        await roll.click()
        await expect(page.get_by_test_id("moves-state")).to_contain_text("Roll 2 of 3")
    await _write_the_best(page)


async def _write_the_best(page: Page) -> None:
    """Entries are listed by points; a zero asks."""
    entry = page.locator("[data-move^='fill/']").first
    key = await entry.get_attribute("data-move")
    is_zero = "Cross out" in await entry.inner_text()
    await entry.click()
    if is_zero:
        await page.get_by_test_id("confirm-zero").click()
    await expect(page.locator(f"[data-move='{key}']")).to_have_count(0)


async def test_the_list_is_filtered_by_column(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        await page.get_by_test_id("roll").click()
        await expect(page.locator("button[data-cell]").first).to_be_visible()
        await page.keyboard.press("KeyL")
        await page.get_by_label("Column").select_option("up")
        moves = [await one.get_attribute("data-move") for one in await page.locator("[data-move]").all()]
        assert moves == ["roll", "fill/up/yamb"]

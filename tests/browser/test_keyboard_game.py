"""A whole solo game by keyboard alone, from the first page to the result."""

import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.players import PHONE, open_page, start_solo

TURNS = 48
MOVING_TURNS = 8
MOST_TABS = 30


async def test_a_whole_game_by_keyboard_alone(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url, PHONE, reduced_motion="no-preference") as page:
        await page.goto("/")
        await _tab_to(page, "solo")
        await page.keyboard.press("Enter")
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 1")
        for turn in range(TURNS):
            if turn == MOVING_TURNS:
                await page.emulate_media(reduced_motion="reduce")
            await _play_turn(page, turn)
        await expect(page.get_by_test_id("result")).to_be_visible()


async def _play_turn(page: Page, turn: int) -> None:
    await expect(page.get_by_test_id("roll")).to_contain_text("Roll 1")
    await page.keyboard.press("KeyR")
    await expect(page.get_by_test_id("die-0")).not_to_have_attribute("data-face", "0")
    if turn % 6 == 1 and await page.get_by_test_id("announce").is_visible():
        await _announce(page)
    if turn % 2 and await page.get_by_test_id("roll").is_enabled():
        await page.keyboard.press("Digit0")  # an announced number may hold dice already
        await page.keyboard.press("Digit1")
        await expect(page.get_by_test_id("die-0")).to_have_attribute("aria-pressed", "true")
        await page.keyboard.press("KeyR")
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 3")
    await _write(page)


async def _announce(page: Page) -> None:
    await page.keyboard.press("KeyA")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("banner")).to_be_visible()


async def _write(page: Page) -> None:
    """Next legal cell, armed by Enter, written by Enter: on the cell, or for a zero on the dock's button."""
    await page.keyboard.press("KeyN")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("write")).to_be_visible()
    is_zero = "Cross out" in await page.get_by_test_id("write").inner_text()
    await page.keyboard.press("Enter")
    if is_zero:
        await expect(page.get_by_test_id("write")).to_be_focused()
        await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("write")).to_be_hidden()


async def test_single_keys_can_be_switched_off(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        await page.get_by_test_id("menu").click()
        await page.get_by_test_id("set-keys").uncheck()
        await page.keyboard.press("Escape")
        await page.locator("[data-game-area]").focus()
        await page.keyboard.press("KeyR")
        await page.keyboard.press("KeyL")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await expect(page.get_by_test_id("die-0")).to_have_attribute("data-face", "0")


async def test_keys_work_only_inside_the_game_area(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        await page.get_by_test_id("menu").focus()
        await page.keyboard.press("KeyR")
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 1")
        await expect(page.get_by_test_id("die-0")).to_have_attribute("data-face", "0")


async def test_the_grid_is_one_tab_stop_with_arrows(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        await page.get_by_test_id("roll").click()
        await expect(page.locator("button[data-cell]").first).to_be_visible()
        assert await page.locator(".mine [tabindex='0']").count() == 1
        await page.keyboard.press("KeyN")
        await page.keyboard.press("Control+Home")
        assert await _focused_place(page) == "down/ones"
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("ArrowDown")
        assert await _focused_place(page) == "free/twos"
        await page.keyboard.press("End")
        assert await _focused_place(page) == "announced/twos"
        await page.keyboard.press("PageDown")
        assert await _focused_place(page) == "announced/max"
        assert await page.locator(".mine [tabindex='0']").count() == 1


async def test_an_illegal_cell_says_why(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        await page.get_by_test_id("roll").click()
        await expect(page.locator("button[data-cell]").first).to_be_visible()
        await page.locator("[data-cell='down/sixes']").click()
        await expect(page.get_by_test_id("status")).to_have_text("Down: fill Ones first")
        await expect(page.get_by_role("status")).to_have_text(re.compile("Down: fill Ones first"))


@pytest.mark.parametrize("is_on", [True, False], ids=["on", "off"])
async def test_an_announced_number_holds_its_dice_and_they_can_be_let_go(
    base_url: str, browser: Browser, *, is_on: bool
) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page, "classic-6x4")
        if not is_on:
            await page.get_by_test_id("menu").click()
            await page.get_by_test_id("set-assign").uncheck()
            await page.keyboard.press("Escape")
        await page.get_by_test_id("roll").click()
        dice = [page.get_by_test_id(f"die-{position}") for position in range(6)]
        await expect(dice[0]).not_to_have_attribute("data-face", "0")
        faces = [int(await die.get_attribute("data-face") or 0) for die in dice]
        other = next((place for place, face in enumerate(faces) if face != faces[0]), None)
        if other is not None:
            await dice[other].click()
        row = ["ones", "twos", "threes", "fours", "fives", "sixes"][faces[0] - 1]
        await page.get_by_test_id("announce").click()
        await page.locator(f"[data-cell='announced/{row}']").click()
        await page.get_by_test_id("announce").click()
        await expect(page.get_by_test_id("banner")).to_be_visible()
        for place, (die, face) in enumerate(zip(dice, faces, strict=True)):
            is_held = face == faces[0] if is_on else place == other
            await expect(die).to_have_attribute("aria-pressed", "true" if is_held else "false")
        if is_on:
            await dice[0].click()
            await expect(dice[0]).to_have_attribute("aria-pressed", "false")


async def _focused_place(page: Page) -> str:
    place: str = await page.evaluate("() => document.activeElement.closest('td').dataset.at")
    return place


async def _tab_to(page: Page, test_id: str) -> None:
    for _ in range(MOST_TABS):
        await page.keyboard.press("Tab")
        if await page.evaluate("() => document.activeElement?.dataset.testid") == test_id:
            return
    raise AssertionError(f"{test_id} is not reached by the Tab key")

"""What a player must be able to see: totals, labels, why a press did nothing, what is about to be lost."""

import re
from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.browser.players import SMALL, make_table, open_page, sit_opposite, start_game, start_solo
from tests.browser.test_account import WORDS, fill
from tests.browser.test_own_dice import STRAIGHT, own_table, tap

SIDEWAYS: ViewportSize = {"width": 740, "height": 360}
_TOTALS_OUT_OF_SIGHT = """() => [...document.querySelectorAll('.chip-total')].filter((total) => {
  const strip = total.closest('.chips').getBoundingClientRect();
  const chip = total.closest('.chip').getBoundingClientRect();
  const range = document.createRange();
  range.setStart(total, 0);
  const roll = total.querySelector('.chip-roll');
  if (roll) range.setEndAfter(roll);
  else range.setEndAfter(total.firstChild);
  const text = range.getBoundingClientRect();
  return text.right > Math.min(strip.right, chip.right, innerWidth) + 0.5 || text.left < chip.left - 0.5
    || text.bottom > strip.bottom + 0.5;
}).map((total) => total.textContent)"""
_WIDER_THAN_THEIR_BOXES = """() => [...document.querySelectorAll('.dock-buttons button')]
  .filter((one) => one.offsetParent !== null && one.scrollWidth > one.clientWidth)
  .map((one) => one.textContent || one.getAttribute('aria-label'))"""
_FOUR_DIGITS = (
    "() => document.querySelectorAll('.chip-total').forEach((one) => { one.firstChild.data = '1024'; })"
)


@pytest.mark.parametrize("width", [320, 360, 390])
async def test_every_total_of_four_is_in_sight(base_url: str, browser: Browser, width: int) -> None:
    async with (
        open_page(browser, base_url, {"width": width, "height": 568}) as page,
        AsyncExitStack() as seats,
    ):
        code = await make_table(page)
        for name in ("Medo", "Zeka", "Sova"):
            await seats.enter_async_context(sit_opposite(base_url, code, name))
        await start_game(page)
        await page.get_by_test_id("roll").click()
        await expect(page.locator(".chip-roll")).to_be_visible()
        await page.evaluate(_FOUR_DIGITS)
        assert await page.evaluate(_TOTALS_OUT_OF_SIGHT) == []


async def test_no_label_of_the_dock_stands_out_of_its_button_sideways(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url, SIDEWAYS) as page:
        code = await make_table(page)
        async with sit_opposite(base_url, code):
            await start_game(page)
            await page.get_by_test_id("roll").click()
            await expect(page.get_by_test_id("announce")).to_be_visible()
            assert await page.evaluate(_WIDER_THAN_THEIR_BOXES) == []


async def test_one_die_too_many_is_refused_with_the_reason(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page, "my-yahtzee")
        await page.get_by_test_id("roll").click()
        dice = page.locator("button.die")
        await expect(dice).to_have_count(6)
        for place in range(6):
            await dice.nth(place).click()
        await expect(page.locator(".die.held")).to_have_count(5)
        await expect(page.get_by_test_id("status")).to_have_text("At most 5 dice can be held here.")
        await expect(page.locator("#spoken")).to_contain_text("At most 5 dice can be held here.")


async def test_a_typed_value_outlives_escape(base_url: str, browser: Browser) -> None:
    async with own_table(base_url, browser) as (lija, _):
        await tap(lija, STRAIGHT)
        await lija.get_by_test_id("pad-typed").fill("56")
        await lija.keyboard.press("Escape")
        await expect(lija.get_by_test_id("pad")).to_have_count(0)
        await tap(lija, STRAIGHT)
        await expect(lija.get_by_test_id("pad-typed")).to_have_value("56")
        await lija.get_by_test_id("pad-write").click()
        await expect(lija.locator(f".mine [data-at='{STRAIGHT}']")).to_have_text(re.compile("^56"))
        await tap(lija, STRAIGHT)
        await expect(lija.get_by_test_id("pad-typed")).to_have_value("")


async def test_an_invitation_that_no_other_device_can_open_says_so(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url, SMALL) as page:
        await make_table(page)
        await _expect_said(page, "Other devices can't open this address.")


async def _expect_said(page: Page, sentence: str) -> None:
    await expect(page.get_by_test_id("share-only-here")).to_contain_text(sentence)


async def test_a_seat_in_a_game_is_not_lost_unasked(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as other, open_page(browser, base_url) as page:
        await start_solo(other)
        await other.goto("/me")
        await fill(other, "register", user_name="seated.lija", password=WORDS)
        await expect(other.get_by_text("Your recovery code")).to_be_visible()
        await start_solo(page)
        table = page.url
        await page.goto("/me")
        await page.get_by_test_id("more-sign-in").click()
        await fill(page, "sign-in", user_name="seated.lija", password=WORDS)
        await expect(page.get_by_role("dialog")).to_contain_text(table.rpartition("/")[2])
        await page.get_by_test_id("keep-seat").click()
        await expect(page.get_by_test_id("who")).to_contain_text("You play as a guest")
        await page.get_by_test_id("sign-in-go").click()
        await page.get_by_test_id("give-up-seat").click()
        await expect(page.get_by_test_id("who")).to_have_text("You are signed in as seated.lija.")

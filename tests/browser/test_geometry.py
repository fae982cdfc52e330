"""What fits where: the whole sheet on a phone, targets for a thumb, no sideways overflow, focus in sight."""

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, ViewportSize, expect

from tests.browser.players import PHONE, SMALL, make_table, open_page, sit_opposite, start_game, start_solo
from tests.servers import ROOT

WIDTHS = (320, 360, 390, 768, 1280)
TEN_COLUMNS = 10
THIRTEEN_ROWS_AND_THREE_SUMS = 16
# Chromium reports sizes with fractions of a pixel.
NEARLY = 0.01


async def test_the_whole_big_sheet_fits_a_phone(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url, PHONE) as page:
        code = await make_table(page)
        async with sit_opposite(base_url, code):
            await start_game(page)
            await page.get_by_test_id("roll").click()
            await expect(page.locator("button[data-cell]").first).to_be_visible()
            assert await page.locator(".mine thead th[data-column]").count() == TEN_COLUMNS
            assert await page.locator(".mine tbody tr").count() == THIRTEEN_ROWS_AND_THREE_SUMS
            dock = (await _boxes(page, ".dock"))[0]
            for box in await _boxes(page, ".mine thead th, .mine tbody th, .mine tbody td"):
                assert box["bottom"] <= dock["top"] + NEARLY, box
                assert box["right"] <= PHONE["width"] + NEARLY, box
            assert dock["bottom"] <= PHONE["height"] + NEARLY


@pytest.mark.parametrize("viewport", [SMALL, PHONE, {"width": 1280, "height": 800}])
async def test_every_target_is_big_enough(base_url: str, browser: Browser, viewport: ViewportSize) -> None:
    async with open_page(browser, base_url, viewport) as page:
        code = await make_table(page)
        async with sit_opposite(base_url, code):
            await start_game(page)
            await page.get_by_test_id("roll").click()
            await expect(page.locator("button[data-cell]").first).to_be_visible()
            await _expect_at_least(page, "button[data-cell]", 24)
            await _expect_at_least(page, ".dock-buttons button:not([hidden]), .die, .bar button", 44)
            await page.get_by_test_id("announce").click()
            await _expect_at_least(page, "button[data-cell]", 24)
            await page.locator("button[data-cell]").first.click()
            await _expect_at_least(page, ".dock-buttons button:not([hidden])", 44)


@pytest.mark.parametrize("path", ["/", "/rules", "/fair", "/leaderboards", "/variants"])
async def test_no_page_scrolls_sideways(base_url: str, browser: Browser, path: str) -> None:
    async with open_page(browser, base_url) as page:
        await page.goto(path)
        await expect(page.get_by_text("Loading")).to_have_count(0)
        await _expect_no_overflow(page)


async def test_room_and_table_do_not_scroll_sideways(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        code = await make_table(page, name="A name of 24 characters!")
        async with sit_opposite(base_url, code, "Another of 24 characters"):
            await _expect_no_overflow(page)
            await start_game(page)
            await _expect_no_overflow(page)
            await page.get_by_test_id("roll").click()
            await page.get_by_test_id("announce").click()
            await page.locator("button[data-cell]").first.click()
            await _expect_no_overflow(page)


@pytest.mark.parametrize("viewport", [{"width": 360, "height": 520}, {"width": 640, "height": 360}, SMALL])
async def test_the_focus_is_never_hidden(base_url: str, browser: Browser, viewport: ViewportSize) -> None:
    async with open_page(browser, base_url, viewport) as page:
        await start_solo(page, "papir")
        await page.get_by_test_id("roll").click()
        await expect(page.locator("button[data-cell]").first).to_be_visible()
        await page.keyboard.press("KeyN")
        await page.keyboard.press("Control+End")
        for key in ["ArrowUp"] * 16 + ["ArrowLeft"] * 9 + ["ArrowDown"] * 16 + ["ArrowRight"] * 9:
            await page.keyboard.press(key)
            hidden = await page.evaluate(_WHAT_HIDES_THE_FOCUS)
            assert hidden == "", f"{key}: {hidden}"


async def test_twice_the_text_size_scrolls_instead_of_cutting(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page, "papir")
        await page.get_by_test_id("roll").click()
        await page.evaluate("() => { document.documentElement.style.fontSize = '32px' }")
        await expect(page.locator("button[data-cell]").first).to_be_visible()
        cut = await page.evaluate(
            """() => [...document.querySelectorAll('.mine td button')]
              .filter((button) => button.scrollWidth > button.clientWidth).length"""
        )
        assert cut == 0
        await _expect_no_overflow(page, widths=(360,))


async def test_longer_words_do_not_overlap(base_url: str, browser: Browser) -> None:
    """A language that needs 40 % more room."""

    async def lengthen(route: Route) -> None:
        words = json.loads((ROOT / "app/web/words/en.json").read_text())
        longer = {key: _longer(text) for key, text in words.items()}
        await route.fulfill(json=longer)

    async with open_page(browser, base_url) as page:
        await page.route("**/web/words/en.json", lengthen)
        code = await make_table(page)
        await _expect_no_overflow(page, widths=(360,))
        async with sit_opposite(base_url, code):
            await start_game(page)
            await page.get_by_test_id("roll").click()
            await _expect_no_overlap(page)
            await page.get_by_test_id("announce").click()
            await page.locator("button[data-cell]").first.click()
            await _expect_no_overlap(page)
            await page.get_by_test_id("cancel").click()
            await page.locator("button[data-cell='free/max']").click()
            await _expect_no_overlap(page)
            await page.get_by_test_id("menu").click()
            await _expect_no_overflow(page, widths=(360,))


@pytest.mark.parametrize("variant", ["papir", "classic-5x4", "croatian", "bulgarian-8", "swedish-6"])
async def test_no_word_of_a_header_is_wider_than_its_cell(
    base_url: str, browser: Browser, variant: str
) -> None:
    """My sheet and others', in both languages; others' stand beside mine from 900 px on."""
    async with open_page(browser, base_url) as page:
        code = await make_table(page, variant)
        async with sit_opposite(base_url, code), sit_opposite(base_url, code, "Zec"):
            await start_game(page)
            for language in ("en", "sr-Latn"):
                await page.get_by_test_id("menu").click()
                await page.get_by_test_id("language").select_option(language)
                await expect(page.get_by_role("dialog")).to_have_count(0)
                for width in (320, 360, 900, 1280):
                    await page.set_viewport_size({"width": width, "height": 800})
                    await _expect_headers_fit(page, f"{language}, {width}, mine")
                    if width < 900:
                        await page.locator(".chip").nth(1).click()
                        await expect(page.get_by_test_id("back-to-mine")).to_be_visible()
                        await _expect_headers_fit(page, f"{language}, {width}, another's")
                        await page.get_by_test_id("back-to-mine").click()


async def _expect_headers_fit(page: Page, where: str) -> None:
    cut: list[str] = await page.evaluate(_HEADERS_THAT_OVERFLOW)
    assert not cut, f"{where}: {cut}"


# Words that are shown, line by line; the hidden names for assistive technology are no wider than a pixel.
_HEADERS_THAT_OVERFLOW = """() => [...document.querySelectorAll('.sheet th')].flatMap((header) => {
  const box = header.getBoundingClientRect();
  return [...header.querySelectorAll('.short, .full, .word, .badge, .sign')].flatMap((shown) => {
    const range = document.createRange();
    range.selectNodeContents(shown);
    const lines = shown.matches('.sign') ? [shown.getBoundingClientRect()] : [...range.getClientRects()];
    const isCut = lines.some((line) => line.width > 0 && (line.left < box.left - 0.5
      || line.right > box.right + 0.5 || line.top < box.top - 0.5 || line.bottom > box.bottom + 0.5));
    return isCut ? [`${header.textContent} (${Math.round(box.width)} px)`] : [];
  });
})"""


def _longer(text: str) -> str:
    """Every word of letters by 40 %; placeholders stay."""
    return re.sub(
        r"(?<![{\w])[A-Za-z]{2,}(?![}\w])", lambda word: word[0] + "w" * round(len(word[0]) * 0.4), text
    )


async def _expect_no_overlap(page: Page) -> None:
    buttons = sorted(
        await _boxes(page, ".dock-buttons button:not([hidden])"), key=lambda box: float(box["left"])
    )
    for box, after in pairwise(buttons):
        assert box["right"] <= after["left"] + NEARLY, (box, after)
    assert buttons[-1]["right"] <= PHONE["width"]
    await _expect_no_overflow(page, widths=(360,))


# The focused element's corners and middle must belong to itself, not to something that lies over it.
_WHAT_HIDES_THE_FOCUS = """() => {
  const focused = document.activeElement;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const points = [[left + 2, top + 2], [right - 2, top + 2], [left + 2, bottom - 2], [right - 2, bottom - 2]];
  for (const [x, y] of points) {
    const above = document.elementFromPoint(x, y);
    if (!above || !(focused.contains(above) || above.contains(focused))) {
      return `${focused.outerHTML.slice(0, 80)} under ${above?.outerHTML.slice(0, 80)} at ${x},${y}`;
    }
  }
  return '';
}"""


async def _boxes(page: Page, selector: str) -> list[dict[str, Any]]:
    """Edges, sizes and names of all elements that the selector finds."""
    boxes: list[dict[str, Any]] = await page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].map((one) => {
          const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
          const name = one.getAttribute('aria-label') ?? one.textContent;
          return { name, left, right, top, bottom, width, height };
        })""",
        selector,
    )
    assert boxes, f"nothing is found by {selector}"
    return boxes


async def _expect_at_least(page: Page, selector: str, size: float) -> None:
    for box in await _boxes(page, selector):
        assert box["width"] >= size - NEARLY, box
        assert box["height"] >= size - NEARLY, box


async def _expect_no_overflow(page: Page, widths: tuple[int, ...] = WIDTHS) -> None:
    height = (page.viewport_size or PHONE)["height"]
    for width in widths:
        await page.set_viewport_size({"width": width, "height": height})
        overflow = await page.evaluate(
            "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert overflow <= 0, f"{width}: {overflow} px too wide"

"""What fits where: the whole sheet on a phone, targets for a thumb, no sideways overflow, focus in sight."""

import pytest
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.players import PHONE, SMALL, make_table, open_page, sit_opposite, start_game, start_solo
from tests.conftest import StartApp

WIDTHS = (320, 360, 390, 768, 1280)
TEN_COLUMNS = 10
THIRTEEN_ROWS_AND_THREE_SUMS = 16
# Chromium reports sizes with fractions of a pixel.
NEARLY = 0.01


async def test_the_whole_big_sheet_fits_a_phone(start_app: StartApp, browser: Browser) -> None:
    base_url = start_app().base_url
    async with open_page(browser, base_url, PHONE) as page:
        code = await make_table(page)
        async with sit_opposite(base_url, code):
            await start_game(page)
            await page.get_by_test_id("roll").click()
            await expect(page.locator("button[data-cell]").first).to_be_visible()
            assert await page.locator(".mine thead th[data-column]").count() == TEN_COLUMNS
            assert await page.locator(".mine tbody tr").count() == THIRTEEN_ROWS_AND_THREE_SUMS
            dock = await _box(page.locator(".dock"))
            for part in await page.locator(".mine thead th, .mine tbody th, .mine tbody td").all():
                box = await _box(part)
                assert box["y"] + box["height"] <= dock["y"] + NEARLY
                assert box["x"] + box["width"] <= PHONE["width"] + NEARLY
            assert dock["y"] + dock["height"] <= PHONE["height"] + NEARLY


@pytest.mark.parametrize("viewport", [SMALL, PHONE, {"width": 1280, "height": 800}])
async def test_every_target_is_big_enough(
    start_app: StartApp, browser: Browser, viewport: ViewportSize
) -> None:
    base_url = start_app().base_url
    async with open_page(browser, base_url, viewport) as page:
        code = await make_table(page)
        async with sit_opposite(base_url, code):
            await start_game(page)
            await page.get_by_test_id("roll").click()
            await expect(page.locator("button[data-cell]").first).to_be_visible()
            await _all_at_least(page.locator("button[data-cell]"), 24)
            await _all_at_least(page.locator(".dock-buttons button:visible, .die, .bar button"), 44)
            await page.get_by_test_id("announce").click()
            await _all_at_least(page.locator("button[data-cell]"), 24)
            await page.locator("button[data-cell]").first.click()
            await _all_at_least(page.locator(".dock-buttons button:visible"), 44)


@pytest.mark.parametrize("path", ["/", "/rules", "/fair", "/leaderboards"])
async def test_no_page_scrolls_sideways(start_app: StartApp, browser: Browser, path: str) -> None:
    async with open_page(browser, start_app().base_url) as page:
        await page.goto(path)
        await expect(page.get_by_text("Loading")).to_have_count(0)
        await _expect_no_overflow(page)


async def test_room_and_table_do_not_scroll_sideways(start_app: StartApp, browser: Browser) -> None:
    base_url = start_app().base_url
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
async def test_the_focus_is_never_hidden(
    start_app: StartApp, browser: Browser, viewport: ViewportSize
) -> None:
    async with open_page(browser, start_app().base_url, viewport) as page:
        await start_solo(page, "papir")
        await page.get_by_test_id("roll").click()
        await expect(page.locator("button[data-cell]").first).to_be_visible()
        await page.keyboard.press("KeyN")
        await page.keyboard.press("Control+End")
        for key in ["ArrowUp"] * 16 + ["ArrowLeft"] * 9 + ["ArrowDown"] * 16 + ["ArrowRight"] * 9:
            await page.keyboard.press(key)
            hidden = await page.evaluate(_WHAT_HIDES_THE_FOCUS)
            assert hidden == "", f"{key}: {hidden}"


async def test_twice_the_text_size_scrolls_instead_of_cutting(start_app: StartApp, browser: Browser) -> None:
    async with open_page(browser, start_app().base_url) as page:
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


async def _box(locator: Locator) -> dict[str, float]:
    box = await locator.bounding_box()
    assert box is not None
    return dict(box)  # type: ignore[arg-type]


async def _all_at_least(locator: Locator, size: float) -> None:
    elements = await locator.all()
    assert elements
    for element in elements:
        box = await _box(element)
        name = await element.get_attribute("aria-label") or await element.inner_text()
        assert box["width"] >= size - NEARLY, f"{name}: {box}"
        assert box["height"] >= size - NEARLY, f"{name}: {box}"


async def _expect_no_overflow(page: Page, widths: tuple[int, ...] = WIDTHS) -> None:
    height = (page.viewport_size or PHONE)["height"]
    for width in widths:
        await page.set_viewport_size({"width": width, "height": height})
        overflow = await page.evaluate(
            "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert overflow <= 0, f"{width}: {overflow} px too wide"

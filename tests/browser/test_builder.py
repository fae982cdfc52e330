"""Rules of one's own: made in the builder, shared by a code, played alone and with friends."""

import re

from playwright.async_api import Browser, Page, expect

from tests.browser.axe import expect_no_findings
from tests.browser.players import (
    DESKTOP,
    make_table,
    open_page,
    play_to_the_end,
    second_socket,
    sit_opposite,
    start_game,
)

CODE = re.compile(r"/variants/([0-9A-Z]{5}-[0-9A-Z]{5})$")


async def open_builder(page: Page, start_from: str = "papir") -> None:
    """The builder, with the parameters of a preset."""
    await page.goto("/")
    await page.get_by_role("link", name="Own rules").click()
    await expect(page.get_by_test_id("dice")).to_be_visible()
    await page.get_by_test_id("start-from").select_option(start_from)


async def share(page: Page) -> str:
    """The code under which the rules are shared."""
    await page.get_by_test_id("share-variant").click()
    await expect(page.get_by_test_id("variant-link")).to_have_text(CODE)
    found = CODE.search(page.url)
    assert found
    return found[1]


async def test_what_is_chosen_is_told_in_words_and_shown_as_a_sheet(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url, DESKTOP) as page:
        await open_builder(page)
        summary = page.get_by_test_id("builder-summary").locator("li")
        await expect(summary.first).to_have_text("6 dice, 10 columns, 117 turns each.")
        await page.get_by_test_id("column-final").uncheck()
        await page.get_by_test_id("row-two_pairs").check()
        await page.get_by_test_id("dice").select_option("5")
        await page.get_by_test_id("last-cell-rolls").select_option("5")
        await page.get_by_test_id("column-up-up").click()
        await expect(page.get_by_test_id("column-up-up")).to_be_focused()
        await expect(summary.first).to_have_text("5 dice, 9 columns, 112 turns each.")
        await expect(summary.nth(1)).to_contain_text("Columns: Down, Up, Free,")
        await expect(summary.last).to_have_text("5 rolls for the last cell of a sheet.")
        headers = page.locator(".builder-preview thead th[data-column]")
        names = [await header.get_attribute("data-column") for header in await headers.all()]
        assert names[:3] == ["down", "up", "free"]
        code = await share(page)
        await page.reload()
        await expect(page.get_by_test_id("builder-title")).to_have_text(
            f"Own rules · 5 dice, 9 columns · {code}"
        )
        await expect(page.get_by_test_id("last-cell-rolls")).to_have_value("5")


WRONG = (
    ("bonus-yamb", "1001", "A whole number from 0 to 1000."),
    ("bonus-yamb", "", "A whole number from 0 to 1000."),
    ("straight-roll-2", "0", "Whole numbers from 1 to 1000; 1-5 is worth no more than 2-6."),
    ("at-least-0", "106", "Steps rise from 1 to 105 points"),
)


async def test_a_value_that_can_not_be_is_told_beside_its_field_and_nothing_is_played(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page:
        await open_builder(page)
        for control, typed, text in WRONG:
            before = await page.get_by_test_id(control).input_value()
            await page.get_by_test_id(control).fill(typed)
            note = page.locator("#builder-note")
            await expect(note).to_contain_text(text)
            await expect(page.get_by_test_id("builder-problem")).to_contain_text(text)
            described = page.locator("[aria-describedby=builder-note]")
            assert await described.locator(f"xpath=self::*|.//*[@data-testid='{control}']").count() >= 1
            await expect(page.get_by_test_id("play-friends")).to_have_attribute("aria-disabled", "true")
            await page.get_by_test_id(control).fill(before)
            await expect(note).to_have_count(0)
            await expect(page.get_by_test_id("builder-problem")).to_be_hidden()
            await expect(page.get_by_test_id("play-friends")).not_to_have_attribute("aria-disabled", "true")


async def test_columns_that_make_no_sheet_are_told_where_they_are_chosen(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page:
        await open_builder(page)
        await page.get_by_test_id("column-announced").uncheck()
        await expect(page.locator("[data-field=columns] > #builder-note")).to_contain_text(
            "Directed only goes with"
        )
        await expect(page.get_by_test_id("play-alone")).to_have_attribute("aria-disabled", "true")
        await page.get_by_test_id("column-notification").uncheck()
        await expect(page.locator("#builder-note")).to_have_count(0)


async def test_own_rules_are_played_alone_and_stand_on_a_leaderboard_by_their_name(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page:
        await open_builder(page, "classic-5x4")
        for column in ("up", "free", "announced"):
            await page.get_by_test_id(f"column-{column}").uncheck()
        await expect(page.get_by_test_id("builder-summary")).to_contain_text(
            "5 dice, 1 column, 12 turns each."
        )
        await page.get_by_test_id("play-alone").click()
        await expect(page.get_by_test_id("roll")).to_be_enabled()
        async with second_socket(page, base_url) as lija:
            await play_to_the_end([lija])
        await page.get_by_test_id("game-link").click()
        await page.get_by_test_id("leaderboard-link").click()
        await expect(page.get_by_test_id("leaderboard-row")).to_have_count(1)
        chosen = page.get_by_test_id("filter-variant").locator("option:checked")
        await expect(chosen).to_have_text(
            re.compile(r"^Own rules · 5 dice, 1 column · [0-9A-Z]{5}-[0-9A-Z]{5}$")
        )


async def test_a_host_takes_rules_over_by_their_code_and_plays_them(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await open_builder(page)
        await page.get_by_test_id("column-hand").uncheck()
        await page.get_by_test_id("bonus-poker").fill("44")
        await expect(page.get_by_test_id("builder-summary")).to_contain_text("9 columns")
        code = await share(page)
        room = await make_table(page, "croatian")
        await page.get_by_test_id("variant-code").fill("00000-00000")
        await page.get_by_test_id("variant-code-go").click()
        await expect(page.locator("#alarm")).to_contain_text("There are no rules with the code 00000-00000.")
        await page.get_by_test_id("variant-code").fill(f"{base_url}/variants/{code.lower()}")
        await page.get_by_test_id("variant-code-go").click()
        summary = page.locator(".lobby .summary p").first
        await expect(summary).to_contain_text(f"Own rules · 6 dice, 9 columns · {code}")
        await expect(page.get_by_test_id("variant").locator("option:checked")).to_contain_text(code)
        await expect_no_findings(page, "lobby with own rules")
        async with sit_opposite(base_url, room):
            await start_game(page)
        assert await page.locator(".mine thead th[data-column]").count() == 9


async def test_rules_made_from_the_room_are_played_in_it(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        room = await make_table(page, "croatian")
        await expect(page.locator(".lobby .summary p").first).to_contain_text("Croatian")
        await page.get_by_test_id("make-variant").click()
        await expect(page.get_by_test_id("start-from")).to_have_value("croatian")
        await page.get_by_test_id("column-announced").uncheck()
        await page.get_by_test_id("use-in-room").click()
        await page.wait_for_url(f"**/rooms/{room}")
        await expect(page.locator(".lobby .summary p").first).to_contain_text("Own rules · 5 dice, 3 columns")


async def test_the_builder_is_worked_by_the_keyboard_alone(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url, DESKTOP) as page:
        await open_builder(page)
        await page.get_by_test_id("column-hand").focus()
        await page.keyboard.press("Space")
        await expect(page.get_by_test_id("column-hand")).not_to_be_checked()
        await expect(page.get_by_test_id("column-hand")).to_be_focused()
        await page.keyboard.press("Shift+Tab")
        focused = page.locator(":focus")
        await expect(focused).to_be_visible()
        await page.get_by_test_id("column-up-down").focus()
        await page.keyboard.press("Enter")
        await page.keyboard.press("Enter")
        await expect(page.get_by_test_id("builder-summary")).to_contain_text(
            "Down, Free, Announced, Directed, Up,"
        )
        await page.get_by_test_id("share-variant").focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_test_id("variant-link")).to_have_text(CODE)


async def test_axe_finds_nothing_in_the_builder(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await open_builder(page, "bulgarian-8")
        await expect_no_findings(page, "builder")
        await page.locator("summary", has_text="Preview of the sheet").click()
        await page.get_by_test_id("award-1").fill("1")
        await expect(page.locator("#builder-note")).to_be_visible()
        await expect_no_findings(page, "builder with an error")

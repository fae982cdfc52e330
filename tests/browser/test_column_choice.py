"""The host chooses a variant and its columns in the lobby; a choice that can't be played springs back."""

from playwright.async_api import Browser, expect

from tests.browser.axe import expect_no_findings
from tests.browser.players import make_table, open_page, sit_opposite, start_game

SHOWN_PROBLEM = ".problem:not([hidden])"


async def test_the_host_chooses_columns_and_the_summary_says_what_is_played(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page:
        code = await make_table(page, "swedish-6")
        summary = page.locator(".lobby .summary p").first
        await expect(summary).to_have_text("Swedish, 6 dice · 6 dice · 4 columns · 52 turns each")
        await page.get_by_test_id("column-hand").check()
        await expect(summary).to_contain_text("5 columns · 65 turns each")
        await page.get_by_test_id("column-maximum").check()
        await expect(summary).to_have_text("Swedish: own columns · 6 dice · 6 columns · 65 turns each")
        async with sit_opposite(base_url, code):
            await start_game(page)
        headers = page.locator(".mine thead th[data-column]")
        names = [await header.get_attribute("data-column") for header in await headers.all()]
        assert names == ["down", "up", "free", "announced", "hand", "maximum"]
        await expect(headers.first).to_have_attribute("title", "Stigande")


async def test_columns_that_make_no_sheet_spring_back(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await make_table(page, "papir")
        announced = page.get_by_test_id("column-announced")
        await expect(announced).to_be_checked()
        await announced.click()
        await expect(page.locator(".problem:not([hidden])")).to_have_text(
            "A sheet of these columns cannot be played"
        )
        await expect(announced).to_be_checked()
        await page.get_by_test_id("column-notification").uncheck()
        await expect(page.locator(".lobby .summary p").first).to_contain_text("9 columns · 104 turns each")
        await announced.uncheck()
        await expect(page.locator(".lobby .summary p").first).to_contain_text("8 columns · 91 turns each")


async def test_who_plays_alone_chooses_columns_on_the_first_page(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await page.goto("/")
        columns = page.locator(".home details")
        await page.get_by_test_id("solo-variant").select_option("swedish-5")
        await columns.locator("summary").click()
        for column in ("down", "up", "free", "announced"):
            await page.get_by_test_id(f"column-{column}").uncheck()
        await page.get_by_test_id("solo").click()
        await expect(page.locator(".problem:not([hidden])")).to_have_text(
            "A sheet of these columns cannot be played"
        )
        await page.get_by_test_id("solo-variant").select_option("croatian")
        await expect(page.get_by_test_id("solo-summary")).to_contain_text("4 columns")
        await expect(columns).to_be_hidden()
        await page.get_by_test_id("solo-variant").select_option("papir")
        await expect(page.get_by_test_id("column-notification")).to_have_count(0)
        for column in ("announced", "hand", "final"):
            await page.get_by_test_id(f"column-{column}").uncheck()
        await expect(page.get_by_test_id("solo-summary")).to_have_text("6 dice · 6 columns")
        await expect_no_findings(page, "columns of a solo game")
        await page.get_by_test_id("solo").click()
        await expect(page.get_by_test_id("roll")).to_be_enabled()
        headers = await page.locator(".mine thead th[data-column]").all()
        names = [await header.get_attribute("data-column") for header in headers]
        assert names == ["down", "free", "up", "from_middle", "ends_in", "maximum"]

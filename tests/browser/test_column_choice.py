"""The host chooses a variant and its columns in the lobby; a choice that can't be played springs back."""

from playwright.async_api import Browser, expect

from tests.browser.players import make_table, open_page, sit_opposite, start_game


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
        await expect(page.locator(".problem")).to_have_text("A sheet of these columns cannot be played")
        await expect(announced).to_be_checked()
        await page.get_by_test_id("column-notification").uncheck()
        await expect(page.locator(".lobby .summary p").first).to_contain_text("9 columns · 104 turns each")
        await announced.uncheck()
        await expect(page.locator(".lobby .summary p").first).to_contain_text("8 columns · 91 turns each")

"""A player's own page: an account made, used on another device, recovered and deleted, on a phone."""

import asyncio
import json
import re

from playwright.async_api import Browser, Page, expect

from tests.browser.axe import expect_no_findings
from tests.browser.players import make_table, open_page

CODE = re.compile(r"^([0-9A-Z]{4}-){5}[0-9A-Z]{4}$")
WORDS = "four words or more"
OTHER_WORDS = "five other words than these"


async def fill(page: Page, form: str, **values: str) -> None:
    """Fill a form's fields and send it."""
    for name, value in values.items():
        await page.get_by_test_id(f"{form}-{name}").fill(value)
    await page.get_by_test_id(f"{form}-go").click()


async def keep_the_code(page: Page) -> str:
    code = await page.get_by_test_id("recovery-code").inner_text()
    assert CODE.match(code)
    await page.get_by_test_id("code-kept").click()
    await expect(page.get_by_test_id("recovery-code")).to_have_count(0)
    return code


async def expect_no_sideways_scroll(page: Page) -> None:
    assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


async def look_on_where_one_is_signed_out(page: Page) -> None:
    """The page of a table whose session has ended elsewhere: it says so, and lets another player in."""
    await expect(page.get_by_test_id("signed-out")).to_be_visible()
    await expect(page.get_by_test_id("sign-in-again")).to_have_attribute("href", "/me")
    await expect_no_findings(page, "signed out at a table")
    await expect_no_sideways_scroll(page)
    await page.get_by_test_id("watch").click()
    await expect(page.get_by_test_id("seats")).to_contain_text("Lija")
    await expect(page.get_by_test_id("seats")).not_to_contain_text("you")
    await page.goto("/me")


async def test_a_guest_makes_an_account_and_finds_himself_on_another_device(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page, open_page(browser, base_url) as other:
        await make_table(page, "classic-5x4", "Lija")
        await page.goto("/")
        await page.get_by_test_id("me-link").click()
        await expect(page.get_by_test_id("who")).to_contain_text("guest: Lija (#")
        await expect_no_findings(page, "a guest")

        await fill(page, "register", user_name="lija!", password="short")
        await expect(page.get_by_test_id("register-password-error")).to_have_text(
            "A password has 8 to 256 characters."
        )
        await expect(page.get_by_test_id("register-password")).to_be_focused()
        await fill(page, "register", password=WORDS)
        await expect(page.get_by_test_id("register-user_name-error")).to_contain_text("3 to 24 letters")
        await expect(page.get_by_test_id("register-user_name")).to_be_focused()
        await expect_no_findings(page, "a field that is wrong")
        await expect_no_sideways_scroll(page)
        await fill(page, "register", user_name="Lija.99")
        await expect(page.get_by_test_id("recovery-code")).to_be_visible()
        await expect_no_findings(page, "the recovery code")
        await expect_no_sideways_scroll(page)
        code = await keep_the_code(page)
        await expect(page.get_by_test_id("who")).to_have_text("You are signed in as lija.99.")
        await make_table(page, "classic-5x4", "Lija")
        await expect(page.get_by_test_id("seats")).to_contain_text("Lija @lija.99")

        await other.goto("/me")
        await expect_no_findings(other, "nobody")
        await fill(other, "sign-in", user_name="Lija.99", password="a guess")
        await expect(other.get_by_test_id("sign-in-password-error")).to_have_text(
            "The user name or the password is wrong."
        )
        await fill(other, "sign-in", password=WORDS)
        await expect(other.get_by_test_id("who")).to_have_text("You are signed in as lija.99.")
        await expect(other.get_by_test_id("me-name-name")).to_have_value("Lija")
        await fill(other, "me-name", name="Lija 🦊")
        await expect(other.get_by_test_id("note")).to_have_text("The name is saved.")
        await other.get_by_test_id("sign-out-everywhere").click()
        await expect(other.get_by_test_id("note")).to_have_text("You are signed out.")
        await look_on_where_one_is_signed_out(page)
        await page.get_by_test_id("more-recover").click()
        await fill(page, "recover", user_name="lija.99", recovery_code="7K2M", password=OTHER_WORDS)
        await expect(page.get_by_test_id("recover-recovery_code-error")).to_have_text(
            "The user name or the recovery code is wrong."
        )
        await fill(page, "recover", recovery_code=code.lower())
        assert await keep_the_code(page) != code
        await expect(page.get_by_test_id("me-name-name")).to_have_value("Lija 🦊")


async def test_an_account_changes_its_secrets_takes_its_data_and_goes(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as page:
        await page.goto("/me")
        await page.get_by_test_id("more-register").click()
        await fill(page, "register", user_name="medo", password=WORDS)
        code = await keep_the_code(page)

        await page.get_by_test_id("more-change-password").click()
        await fill(page, "change-password", password="a guess", new_password=OTHER_WORDS)
        await expect(page.get_by_test_id("change-password-password-error")).to_have_text(
            "This is not the password."
        )
        await fill(page, "change-password", password=WORDS)
        await expect(page.get_by_test_id("note")).to_contain_text("The password is changed")
        await page.get_by_test_id("more-renew-code").click()
        await expect_no_findings(page, "an account")
        await fill(page, "renew-code", password=OTHER_WORDS)
        assert await keep_the_code(page) != code

        async with page.expect_download() as coming:
            await page.get_by_test_id("export").click()
        path = await (await coming.value).path()
        kept = json.loads(await asyncio.to_thread(path.read_text))
        assert (kept["account"]["user_name"], kept["player"]["name"]) == ("medo", "medo")

        await page.get_by_test_id("delete-me").click()
        await expect_no_findings(page, "asked before deleting")
        await fill(page, "delete", password="a guess")
        await expect(page.get_by_test_id("delete-password-error")).to_have_text("This is not the password.")
        await fill(page, "delete", password=OTHER_WORDS)
        await expect(page.get_by_test_id("note")).to_have_text("You are deleted.")
        await fill(page, "sign-in", user_name="medo", password=OTHER_WORDS)
        await expect(page.get_by_test_id("sign-in-password-error")).to_be_visible()

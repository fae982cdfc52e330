"""What a player sees where his network, or he himself, has more than may be."""

import re
from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, expect

from tests.browser.axe import expect_no_findings
from tests.browser.players import make_table, open_page
from tests.servers import AppServer


@pytest.fixture(scope="module")
def narrow() -> Iterator[str]:
    """The address of a server that bears one guest at an address, with one room and one socket."""
    bounds = ("GUESTS_PER_ADDRESS", "ROOMS_PER_PLAYER", "SOCKETS_PER_PLAYER")
    with AppServer({f"YAMB_{bound}": "1" for bound in bounds}) as app:
        yield app.base_url


async def test_what_is_too_much_is_said_in_the_players_language_and_waited_for(
    narrow: str, browser: Browser
) -> None:
    async with open_page(browser, narrow) as page, open_page(browser, narrow) as other:
        code = await make_table(page)
        second = await page.context.new_page()
        await second.goto(page.url)
        await expect(second.get_by_test_id("connection")).to_contain_text("open in too many places")
        await expect_no_findings(second, "too many sockets")
        await page.goto("/")
        await expect(second.get_by_test_id("connection")).to_be_empty()
        await expect(second).to_have_url(re.compile(code))

        await page.get_by_test_id("play-friends").click()
        await expect(page.locator("#alarm")).to_contain_text(re.compile(r"too many tables.*60 minutes"))
        await other.goto("/")
        await other.get_by_test_id("menu").click()
        await other.get_by_test_id("language").select_option("sr-Latn")
        await other.get_by_test_id("name").fill("Medo")
        await other.get_by_test_id("play-friends").click()
        await expect(other.locator("#alarm")).to_contain_text(re.compile(r"previše novih igrača.*60 minuta"))
        await expect_no_findings(other, "too many guests")

"""A first visit is an ordinary one: nothing fails, and the browser's console stays empty."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, Page, expect

from tests.browser.players import make_table, open_page


@asynccontextmanager
async def open_quiet_page(browser: Browser, base_url: str) -> AsyncIterator[Page]:
    """A page of a new guest's browser; a line in the console or a request that fails fails the test."""
    said: list[str] = []
    async with open_page(browser, base_url, reduced_motion="no-preference") as page:
        page.on("console", lambda line: said.append(f"{line.type}: {line.text}"))
        page.on("requestfailed", lambda request: said.append(f"{request.url} failed"))
        page.on(
            "response", lambda got: said.append(f"{got.url}: {got.status}") if got.status >= 400 else None
        )
        yield page
    assert not said


async def test_the_first_page_and_the_first_game_fail_in_nothing(base_url: str, browser: Browser) -> None:
    async with open_quiet_page(browser, base_url) as page:
        async with page.expect_response("**/api/me"):
            await page.goto("/")
        await page.get_by_test_id("solo").click()
        await expect(page.get_by_test_id("roll")).to_be_enabled()


async def test_a_visitor_who_follows_a_link_to_a_table_sees_nothing_fail(
    base_url: str, browser: Browser
) -> None:
    async with open_page(browser, base_url) as host:
        code = await make_table(host)
        async with open_quiet_page(browser, base_url) as page:
            await page.goto(f"/rooms/{code}")
            await expect(page.get_by_test_id("name")).to_be_visible()

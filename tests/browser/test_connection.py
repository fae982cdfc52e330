"""Reload, second tab, lost connection: the same seat, the same state, and a banner only while it is true."""

from playwright.async_api import Browser, expect

from tests.browser.players import open_page, start_solo
from tests.conftest import StartApp


async def test_a_reload_finds_the_same_turn(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        await page.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 2")
        face = await page.get_by_test_id("die-0").get_attribute("data-face") or ""
        await page.reload()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 2")
        await expect(page.get_by_test_id("die-0")).to_have_attribute("data-face", face)
        await expect(page.get_by_test_id("roll")).to_be_enabled()


async def test_a_second_tab_plays_the_same_seat(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        second = await page.context.new_page()
        await second.goto(page.url)
        await second.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 2")
        await page.get_by_test_id("roll").click()
        await expect(second.get_by_test_id("roll")).to_contain_text("Roll 3")


async def test_a_killed_server_shows_the_banner_until_the_table_is_back(
    start_app: StartApp, browser: Browser
) -> None:
    app = start_app()
    async with open_page(browser, app.base_url) as page:
        await start_solo(page)
        await page.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 2")
        face = await page.get_by_test_id("die-0").get_attribute("data-face") or ""
        app.kill()
        await expect(page.get_by_test_id("connection")).to_contain_text("Connection lost")
        await expect(page.get_by_test_id("roll")).to_be_disabled()
        app.start()
        await expect(page.get_by_test_id("connection")).to_be_empty()
        await expect(page.get_by_test_id("die-0")).to_have_attribute("data-face", face)
        await page.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("roll")).to_contain_text("Roll 3")


async def test_the_first_page_leads_back_to_the_open_room(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        room = page.url
        await page.goto("/")
        await page.get_by_test_id("continue").click()
        await expect(page).to_have_url(room)
        await expect(page.get_by_test_id("roll")).to_be_enabled()


async def test_a_room_that_is_not_there_says_so(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await page.goto("/rooms/NOSUCH")
        await expect(page.get_by_role("main")).to_contain_text("There is no room NOSUCH.")
        await page.goto("/")
        await page.get_by_test_id("join-code").fill("NOSUCH")
        await page.get_by_test_id("join-go").click()
        await expect(page.get_by_role("alert").filter(has_text="There is no room NOSUCH.")).to_have_count(1)


async def test_a_visitor_without_a_seat_watches(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page, open_page(browser, base_url) as visitor:
        await start_solo(page)
        await visitor.goto(page.url)
        await visitor.get_by_test_id("watch").click()
        await page.get_by_test_id("roll").click()
        await expect(visitor.get_by_test_id("status")).to_contain_text("you are watching")
        await expect(visitor.get_by_test_id("die-0")).not_to_have_attribute("data-face", "0")
        await expect(visitor.get_by_test_id("roll")).to_be_disabled()
        await expect(visitor.locator("button[data-cell]")).to_have_count(0)

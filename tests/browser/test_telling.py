"""What the table tells: live regions, titles, both languages, reduced motion, announcements."""

import json
import re

from playwright.async_api import Browser, Page, expect

from tests.browser.players import (
    DESKTOP,
    make_table,
    open_page,
    second_socket,
    sit_opposite,
    start_game,
    start_solo,
)
from tests.servers import ROOT

FACES = ("", "one", "two", "three", "four", "five", "six")


async def test_roll_announcement_and_entry_are_said_by_the_templates(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page, open_page(browser, base_url, DESKTOP) as other:
        code = await make_table(page)
        await other.goto(f"/rooms/{code}")
        await other.get_by_test_id("name").fill("Medo")
        await other.get_by_test_id("join").click()
        await other.get_by_test_id("ready").click()
        await start_game(page)
        said, heard = page.locator("#spoken"), other.locator("#spoken")
        await page.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("die-5")).not_to_have_attribute("data-face", "0")
        # What comes at the same time is said as one, so the start may stand before it.
        await expect(said).to_have_text(re.compile(f"Roll 1: {', '.join(await _faces(page))}\\.$"))
        await page.get_by_test_id("announce").click()
        await page.locator("button[data-cell='announced/sixes']").click()
        await page.get_by_test_id("announce").click()
        await expect(heard).to_have_text(re.compile(r"Lija announces sixes\.$"))
        await expect(other.get_by_test_id("banner")).to_have_text(
            "Lija announced Sixes: on your turn play it in Directed."
        )
        await page.locator("button[data-cell='announced/sixes']").click()
        await page.get_by_test_id("write").click()
        await expect(heard).to_have_text(
            re.compile(
                r"Lija (writes \d+ in|crosses out) sixes, announced\. Total \d+\. Your turn, round 1 of"
            )
        )
        await expect(other.get_by_test_id("banner")).to_have_text(
            "Lija announced Sixes: play it now in Directed; the rest is closed."
        )
        await expect(other).to_have_title(f"Your turn - Yamb - room {code}")
        await _expect_only_the_bound_cell(other)


async def _expect_only_the_bound_cell(page: Page) -> None:
    await page.get_by_test_id("roll").click()
    await expect(page.locator("button[data-cell]")).to_have_count(1)
    await expect(page.locator("button[data-cell='notification/sixes']")).to_be_visible()
    await page.locator("[data-cell='free/ones']").first.click()
    await expect(page.get_by_test_id("status")).to_have_text(
        "Free: closed, an announcement binds this turn to Sixes"
    )


async def test_live_holds_are_seen_by_the_others(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        code = await make_table(page)
        async with sit_opposite(base_url, code) as medo:
            await start_game(page)
            async with second_socket(page, base_url) as lija:
                await lija.act(type="roll", hold=[])
                await lija.act(type="fill", column="free", row="ones")
            await medo.wait_until(lambda: medo.state["turn"]["seat"] == 1)
            await medo.act(type="roll", hold=[])
            turn = medo.state["turn"]["turn"]
            await medo.send({"type": "holding", "seat": 1, "turn": turn, "roll": 1, "hold": [1, 2]})
            await expect(page.get_by_test_id("die-1")).to_have_attribute("aria-pressed", "true")
            await expect(page.get_by_test_id("die-0")).to_have_attribute("aria-pressed", "false")
            await expect(page.get_by_test_id("status")).to_have_text("Medo, roll 1")


async def test_the_counted_dice_are_joined_and_the_spare_one_dimmed(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page, "papir")
        await page.get_by_test_id("roll").click()
        await page.locator("button[data-cell='free/max']").click()
        await expect(page.locator(".die.counted")).to_have_count(5)
        await expect(page.locator(".die.spare")).to_have_count(1)


async def test_no_key_of_the_catalogue_is_seen_in_either_language(base_url: str, browser: Browser) -> None:
    keys = set(json.loads((ROOT / "app/web/words/en.json").read_text()))
    async with open_page(browser, base_url) as page:
        for language in ("en", "sr-Latn"):
            await page.goto("/")
            await page.get_by_test_id("menu").click()
            await page.get_by_test_id("language").select_option(language)
            await expect(page.locator("html")).to_have_attribute("lang", language)
            await _expect_no_keys(page, keys)
            for path in ("/rules", "/fair", "/leaderboards"):
                await page.goto(path)
                await page.wait_for_load_state("networkidle")
                await _expect_no_keys(page, keys)
            await start_solo(page)
            await page.get_by_test_id("roll").click()
            await expect(page.locator("button[data-cell]").first).to_be_visible()
            await _expect_no_keys(page, keys)
            await page.keyboard.press("Slash")
            await _expect_no_keys(page, keys)


async def _expect_no_keys(page: Page, keys: set[str]) -> None:
    words = await page.evaluate(
        """() => [document.body.innerText, ...[...document.querySelectorAll('[aria-label]')]
          .map((one) => one.getAttribute('aria-label'))].join(' ')"""
    )
    seen = {word for word in re.findall(r"\b[\w-]+(?:\.[\w-]+)+", words) if word in keys}
    assert not seen


async def test_the_language_changes_in_the_middle_of_a_turn(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await start_solo(page)
        await page.get_by_test_id("roll").click()
        await expect(page.get_by_test_id("roll")).to_have_text("Roll 2 of 3")
        await page.get_by_test_id("menu").click()
        await page.get_by_test_id("language").select_option("sr-Latn")
        await expect(page.get_by_test_id("roll")).to_have_text("Bacanje 2 od 3")
        await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_reduced_motion_moves_nothing(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url, reduced_motion="reduce") as page:
        await start_solo(page)
        await page.get_by_test_id("roll").click()
        await page.locator("[data-cell='down/sixes']").click()
        moving = await page.evaluate(
            """() => document.getAnimations().filter((one) => one.effect.getTiming().duration > 10)
              .flatMap((one) => one.effect.getKeyframes().flatMap((frame) => Object.keys(frame)))
              .filter((name) => !/^(offset|computedOffset|easing|composite|opacity)$/.test(name))"""
        )
        assert moving == []


async def test_mute_is_kept_over_a_reload(base_url: str, browser: Browser) -> None:
    async with open_page(browser, base_url) as page:
        await page.goto("/")
        await page.get_by_test_id("sound").click()
        await page.reload()
        await expect(page.get_by_test_id("sound")).to_have_attribute("aria-pressed", "false")


async def _faces(page: Page) -> list[str]:
    count = await page.locator(".die").count()
    values = [await page.get_by_test_id(f"die-{die}").get_attribute("data-face") for die in range(count)]
    return [FACES[int(value or 0)] for value in values]

"""axe-core over a page: what it finds, including targets that it can't judge for sure."""

from functools import cache
from typing import Any, Literal

import pytest
from playwright.async_api import Page, ViewportSize

from tests.servers import ROOT

_SOURCE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Off by default in axe, but they hold what a sheet and a phone need.
_MORE_RULES = ["css-orientation-lock", "td-has-header", "table-fake-caption", "target-size"]
_OPTIONS = {
    "runOnly": {"type": "tag", "values": _TAGS},
    "rules": {rule: {"enabled": True} for rule in _MORE_RULES},
    "resultTypes": ["violations", "incomplete"],
}
# What a theme changes is colours: everything else is looked for once.
_OPTIONS_BY_THEME: dict[Literal["light", "dark"], dict[str, object]] = {
    "light": _OPTIONS,
    "dark": {**_OPTIONS, "runOnly": {"type": "rule", "values": ["color-contrast"]}, "rules": {}},
}
VIEWPORTS: tuple[ViewportSize, ...] = (
    {"width": 320, "height": 568},
    {"width": 360, "height": 600},
    {"width": 1280, "height": 800},
)


async def expect_no_findings(page: Page, screen: str) -> None:
    """Check the page as it stands in both themes and at three widths. The page is left as it was found."""
    before = page.viewport_size
    findings: list[str] = []
    for viewport in VIEWPORTS:
        await page.set_viewport_size(viewport)
        for theme, options in _OPTIONS_BY_THEME.items():
            await page.emulate_media(color_scheme=theme)
            found = await _findings(page, options)
            findings += [f"{screen}, {theme}, {viewport['width']}: {one}" for one in found]
    await page.emulate_media(color_scheme="light")
    if before:
        await page.set_viewport_size(before)
    assert not findings, "\n".join(findings)


async def _findings(page: Page, options: dict[str, object]) -> list[str]:
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(_axe_source())
    await page.evaluate("() => scrollTo(0, 0)")
    result: dict[str, list[dict[str, Any]]] = await page.evaluate(
        "(options) => axe.run(document, options)", options
    )
    unsure = [rule for rule in result["incomplete"] if rule["id"] == "target-size"]
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in [*result["violations"], *unsure]
        for node in rule["nodes"][:3]
    ]


@cache
def _axe_source() -> str:
    if not _SOURCE.exists():
        pytest.skip("axe-core is not installed: python3 dev.py test brings it")
    return _SOURCE.read_text()

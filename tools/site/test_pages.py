"""The built site in a browser: nothing overflows on any width, both schemes work, nothing is loaded from elsewhere, search works
offline. ACTIO_SITE is the folder html of the site; ACTIO_SITE_PICTURES is a folder for screenshots, if they are wanted."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python/tests"))
from browser import Browser, program  # noqa: E402

pytestmark = pytest.mark.skipif(program() is None, reason="no Chromium: apt-get install chromium")

SITE = Path(os.environ["ACTIO_SITE"])
PICTURES = os.environ.get("ACTIO_SITE_PICTURES")
PAGES = ["index", "which-method", "methods/newmark", "gallery", "problem-file", "certificate", "coming-from/opensees",
         "theory/newmark", "cookbook/solid",
         "reference/problem-file", "reference/kinds/index", "reference/kinds/joint-revolute", "reference/python/runs",
         "reference/cpp/c-actio-h", "measured/accuracy", "measured/speed", "measured/error-rates"]
LOOKS = {"light": (1280, 900, False), "dark": (1280, 900, True), "phone": (390, 844, False), "phone-dark": (390, 844, True)}
BACKGROUND = "getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).slice(0, 3).reduce((sum, x) => sum + Number(x), 0)"


@pytest.fixture(scope="module")
def browser():
    with Browser() as found:
        yield found


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_and_loads_nothing_from_elsewhere(browser, page, look):
    width, height, dark = LOOKS[look]
    browser.resize(width, height, mobile=width < 500)
    browser.prefer(dark=dark)
    browser.open(SITE / "docs" / f"{page}.html")
    assert browser.errors == []
    assert [url for url in browser.requests if not url.startswith(("file:", "data:"))] == []
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate("document.querySelector('article h1').textContent.length") > 0
    assert (browser.evaluate(BACKGROUND) < 200) == dark
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        browser.screenshot(Path(PICTURES) / f"{page.replace('/', '-')}-{look}.png", {"x": 0, "y": 0, "width": width, "height": height})


@pytest.mark.parametrize("look", ["light", "phone"])
@pytest.mark.parametrize("word, page", [("holonomic", "problem-file"), ("opensees", "coming-from/opensees"), ("wilson", "methods/wilson"),
                                        ("actio_advance", "reference/cpp/c-actio-h"), ("every_time", "reference/problem-file")])
def test_search_finds_a_word_without_a_network(browser, look, word, page):
    width, height, _ = LOOKS[look]
    browser.resize(width, height, mobile=width < 500)
    browser.requests.clear()
    browser.send("Page.navigate", url=f"{(SITE / 'search.html').resolve().as_uri()}?q={word}")
    found = "[...document.querySelectorAll('#search-results li a')].map(link => link.href)"
    browser.wait_for(f"location.search.includes('{word}') && document.readyState === 'complete' && {found}.length > 0")
    browser.wait_for(f"{found}.some(link => link.includes('/docs/{page}.html'))", seconds=20)
    assert [url for url in browser.requests if not url.startswith(("file:", "data:"))] == []
    assert browser.evaluate("document.documentElement.scrollWidth") <= width

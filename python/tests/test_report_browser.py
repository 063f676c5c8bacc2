"""Reports in a browser: scripts run without error, plots and view answer to mouse and keys, at every width and in both schemes."""

import numpy as np
import pytest
from browser import Browser, program
from test_report import nasty_run

import actio

pytestmark = pytest.mark.skipif(program() is None, reason="no Chromium: apt-get install chromium")

PLOT = "document.querySelectorAll('#plots-place canvas.front')[0]"  # the energy
VIEW = "document.querySelector('#view-place canvas.front')"
SLIDER = "document.querySelector('#view-place input[type=range]')"
NAMES = ["oscillator", "double-pendulum", "damped-oscillator", "pleiades", "heavy-top", "pendulum", "fpu", "cantilever"]


@pytest.fixture(scope="module")
def browser():
    with Browser() as found:
        yield found


@pytest.fixture(autouse=True)
def ordinary(browser):
    browser.resize(1280, 900)
    browser.prefer()


@pytest.fixture(scope="module")
def pages(examples, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    runs = {}
    for name in NAMES:
        runs[name] = actio.run(examples / f"{name}.toml", {"run.end": 0.1} if name == "cantilever" else None)
        runs[name].report(folder / f"{name}.html")
    return folder, runs


def opened(browser, path):
    browser.open(path)
    browser.wait_for("document.documentElement.dataset.ready")


def painted(browser, canvas):
    """How many pixels of a canvas are not empty."""
    return browser.evaluate(f"(() => {{ const c = {canvas}, d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0; "
                            "for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; })()")


def shown_range(browser, canvas=PLOT):
    return browser.evaluate(f"[Number({canvas}.dataset.x0), Number({canvas}.dataset.x1)]")


def readout(browser):
    return browser.evaluate(f"{PLOT}.closest('figure').querySelector('output').textContent")


def middle(browser, element):
    """The rectangle of an element on the screen: left, top, width, height."""
    browser.evaluate(f"{element}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
    return browser.evaluate(f"(() => {{ const r = {element}.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; }})()")


@pytest.mark.parametrize("name", NAMES)
def test_scripts_run_without_error_and_draw(browser, pages, name):
    path = pages[0] / f"{name}.html"
    opened(browser, path)
    assert browser.errors == []
    assert browser.requests == [path.resolve().as_uri()]
    count = browser.evaluate("document.querySelectorAll('.stack').length")
    assert count >= 3
    for i in range(count):
        assert painted(browser, f"document.querySelectorAll('.stack canvas:first-child')[{i}]") > 1500


def test_slider_and_keys_move_time(browser, pages):
    opened(browser, pages[0] / "double-pendulum.html")
    run = pages[1]["double-pendulum"]
    browser.evaluate(f"{SLIDER}.focus()")
    browser.press("ArrowRight", 3)
    assert browser.evaluate(f"{VIEW}.dataset.frame") == "3"
    words = browser.evaluate("document.querySelector('.now').textContent")
    assert float(words.removeprefix("t = ")) == pytest.approx(run.t[3])
    assert browser.evaluate(f"{SLIDER}.getAttribute('aria-valuetext')") == words
    mark = browser.evaluate(f"{PLOT}.toDataURL()")
    browser.press("End")
    assert browser.evaluate(f"{VIEW}.dataset.frame") == str(len(run) - 1)
    assert browser.evaluate(f"{PLOT}.toDataURL()") != mark  # the time of the view is marked in the plots


def test_space_plays_and_stops(browser, pages):
    browser.prefer(reduced_motion=True)
    opened(browser, pages[0] / "double-pendulum.html")
    assert browser.evaluate(f"{VIEW}.dataset.frame") == "0"  # nothing moves unasked
    browser.evaluate(f"{VIEW}.focus()")
    browser.press(" ")
    browser.wait_for(f"Number({VIEW}.dataset.frame) > 2")
    browser.press(" ")
    assert "Play" in browser.evaluate("document.querySelector('.play').textContent")


def test_view_turns_by_keys_and_mouse(browser, pages):
    opened(browser, pages[0] / "heavy-top.html")
    browser.evaluate(f"{VIEW}.focus()")
    yaw = float(browser.evaluate(f"{VIEW}.dataset.yaw"))
    browser.press("ArrowRight", 2)
    assert float(browser.evaluate(f"{VIEW}.dataset.yaw")) == pytest.approx(yaw + 0.2)
    left, top, width, height = middle(browser, VIEW)
    x, y = left + width / 2, top + height / 2
    browser.mouse("mousePressed", x, y, button="left", clickCount=1)
    browser.mouse("mouseMoved", x + 50, y, button="left", buttons=1)
    browser.mouse("mouseReleased", x + 50, y, button="left", clickCount=1)
    assert float(browser.evaluate(f"{VIEW}.dataset.yaw")) == pytest.approx(yaw + 0.7, abs=0.02)
    browser.press("0")
    assert float(browser.evaluate(f"{VIEW}.dataset.yaw")) == pytest.approx(yaw)


def test_keys_zoom_and_read_values(browser, pages):
    opened(browser, pages[0] / "oscillator.html")
    run = pages[1]["oscillator"]
    whole = shown_range(browser)
    assert whole == pytest.approx([run.t[0], run.t[-1]])
    browser.evaluate(f"{PLOT}.focus()")
    browser.press("ArrowRight", 4)
    error = run.energy[4] - run.energy[0]
    words = readout(browser).replace("−", "-")
    assert float(words.split(" = ")[1].split(" ")[0]) == pytest.approx(run.t[4])
    assert float(words.split(" = ")[-1]) == pytest.approx(error, rel=1e-5)
    browser.press("+")
    near = shown_range(browser)
    assert near[1] - near[0] == pytest.approx((whole[1] - whole[0]) / 2) and near[0] <= run.t[4] <= near[1]
    browser.press("End")
    assert shown_range(browser)[1] == pytest.approx(run.t[-1])  # the range follows the cursor
    browser.press("0")
    assert shown_range(browser) == pytest.approx(whole)


def test_axes_name_units(browser, examples, tmp_path):
    run = actio.run(examples / "water.toml")
    run.report(tmp_path / "water.html")
    opened(browser, tmp_path / "water.html")
    labels = browser.evaluate("[...document.querySelectorAll('#plots-place canvas.front')].map((c) => c.getAttribute('aria-label'))")
    assert labels[0].startswith("Energy change: E − E0 [kcal/mol] over t [48.8882 fs].")
    assert any(label.startswith("Coordinates: value [angstrom] over t [48.8882 fs].") for label in labels)
    assert any(label.startswith("Plane: y[0] [angstrom] over x[0] [angstrom].") for label in labels)


def test_mouse_zooms_and_reads_values(browser, pages):
    opened(browser, pages[0] / "oscillator.html")
    whole = shown_range(browser)
    left, top, width, height = middle(browser, PLOT)
    y = top + height / 2
    browser.mouse("mouseMoved", left + width / 2, y)
    assert "E - E0 = " in readout(browser)
    a, b = left + 0.4 * width, left + 0.6 * width
    browser.mouse("mousePressed", a, y, button="left", clickCount=1)
    browser.mouse("mouseMoved", b, y, button="left", buttons=1)
    browser.mouse("mouseReleased", b, y, button="left", clickCount=1)
    near = shown_range(browser)
    assert 0 < near[1] - near[0] < 0.35 * (whole[1] - whole[0])
    other = "document.querySelectorAll('#plots-place canvas.front')[1]"
    assert shown_range(browser, other) == pytest.approx(near)  # plots over time share their range
    browser.mouse("mouseWheel", a, y, deltaX=0, deltaY=100)
    browser.wait_for(f"Number({PLOT}.dataset.x1) > {near[1]}")
    for count in (1, 2):
        browser.mouse("mousePressed", a, y, button="left", clickCount=count)
        browser.mouse("mouseReleased", a, y, button="left", clickCount=count)
    assert shown_range(browser) == pytest.approx(whole)


def test_everything_is_reached_by_tab_and_seen(browser, pages):
    opened(browser, pages[0] / "heavy-top.html")
    wanted = browser.evaluate("""[...document.querySelectorAll('a[href], button, select, input, summary, canvas.front')]
        .map((e, i) => { e.dataset.seat = i; return i; }).length""")
    reached = set()
    for _ in range(wanted + 5):
        browser.press("Tab")
        seat, outline, named = browser.evaluate("""(() => { const e = document.activeElement, s = getComputedStyle(e);
            return [e.dataset.seat ?? null, s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0,
                    Boolean(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)]; })()""")
        if seat is None:
            continue
        reached.add(int(seat))
        assert outline, f"element {seat} has the focus and does not show it"
        assert named, f"element {seat} has no name"
    assert reached == set(range(wanted))


@pytest.mark.parametrize("name", NAMES)
def test_a_phone_needs_no_sideways_scrolling(browser, pages, name):
    browser.resize(375, 800, mobile=True)
    opened(browser, pages[0] / f"{name}.html")
    assert browser.evaluate("document.documentElement.scrollWidth") <= 375
    assert browser.evaluate("[...document.querySelectorAll('body *')].filter((e) => !e.closest('pre, svg, .skip') && "
                            "e.getBoundingClientRect().right > 376).map((e) => e.outerHTML.slice(0, 80))") == []
    for i in range(browser.evaluate("document.querySelectorAll('.stack').length")):
        assert painted(browser, f"document.querySelectorAll('.stack canvas:first-child')[{i}]") > 700


def test_dark_scheme_has_its_own_colours(browser, pages):
    def look():
        return browser.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")

    opened(browser, pages[0] / "oscillator.html")
    light = look()
    browser.prefer(dark=True)  # without a reload
    dark = look()
    assert dark[0] != light[0] and dark[1] != light[1]

    def brightness(colour):
        return sum(int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))

    assert brightness(dark[0]) < 150 < 600 < brightness(light[0])
    assert painted(browser, "document.querySelector('.stack canvas')") > 1500


def test_names_cannot_run_scripts(browser, tmp_path):
    nasty_run().report(tmp_path / "nasty.html")
    opened(browser, tmp_path / "nasty.html")
    assert browser.errors == []
    assert browser.evaluate("window.broken ?? null") is None
    assert browser.evaluate("document.querySelectorAll('img').length + document.scripts.length") == 2
    assert "<img src=x" in browser.evaluate("document.querySelector('h1').textContent")
    browser.resize(375, 800, mobile=True)
    assert browser.evaluate("document.documentElement.scrollWidth") <= 375


@pytest.mark.parametrize("rows", [0, 1, 30])
def test_pages_of_broken_runs_open(browser, tmp_path, rows):
    run = nasty_run(rows)
    run.energy[3:], run.q[5:7], run.q[20:] = np.nan, np.nan, np.inf
    run.report(tmp_path / "broken.html")
    opened(browser, tmp_path / "broken.html")
    assert browser.errors == []
    assert browser.evaluate("document.querySelectorAll('#plots-place canvas.front').length") >= 3
    for place in ("x0", "x1", "y0", "y1"):
        values = browser.evaluate(f"[...document.querySelectorAll('#plots-place canvas.front')].map((c) => Number(c.dataset.{place}))")
        assert all(value is not None and np.isfinite(value) for value in values)


def test_long_runs_open(browser, examples, tmp_path):
    run = actio.run(examples / "oscillator.toml", {"run.end": 20000, "run.every": 1})
    assert len(run) == 100001
    run.report(tmp_path / "long.html")
    assert (tmp_path / "long.html").stat().st_size < 10e6
    opened(browser, tmp_path / "long.html")
    assert browser.errors == []
    browser.evaluate(f"{PLOT}.focus()")
    browser.press("+", 10)
    x0, x1 = shown_range(browser)
    assert 0 < x1 - x0 < 25
    browser.press("ArrowRight")
    assert "E - E0" in readout(browser)

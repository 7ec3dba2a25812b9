"""A browser for tests, and the explorer in it: Debian's Chromium, driven by Selenium.

It needs ``chromium`` and ``chromedriver`` (``apt-get install chromium chromium-driver``).
"""

from __future__ import annotations

import shutil
import threading
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from zermelo.web.server import Site
from zermelo.web.session import ExplorerSession

FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--window-size=1200,1400", "--force-prefers-reduced-motion"),
)

#: Runs axe, the accessibility checker, from axe-playwright-python; the rest of that package is not
#: used.
RUN_AXE = """
const done = arguments[0];
axe.run(document, { resultTypes: ["violations"] }).then(
  (result) => done(result.violations.map((v) => [v.id, v.help, v.nodes.map((n) => n.html)])),
  (error) => done([["error", String(error), []]]),
);
"""


#: The commands of a user's actions. They are not repeated, as the next page might get them.
ACTIONS = {Command.CLICK_ELEMENT, Command.SEND_KEYS_TO_ELEMENT, Command.W3C_ACTIONS}


class Element(WebElement):
    """An element that is found again if the page has replaced it."""

    find_again = None

    def _execute(self, command, params=None):
        try:
            return super()._execute(command, params)
        except StaleElementReferenceException:
            if not refresh_elements(self):
                raise
            return super()._execute(command, params)


class Browser(webdriver.Chrome):
    """A browser that returns such elements, and repeats a command during a change of pages."""

    _web_element_cls = Element

    def execute(self, driver_command, params=None):
        for _ in range(5):
            try:
                return super().execute(driver_command, params)
            except WebDriverException as error:
                if "aborted by navigation" not in str(error.msg) or driver_command in ACTIONS:
                    raise
        return super().execute(driver_command, params)

    def get(self, url):
        """Open a page, and wait until it is complete."""
        super().get(url)
        # If the page before this one was still loading, the driver may return sooner.
        self.wait(lambda: self.execute_script("return document.readyState") == "complete")

    def wait(self, condition, seconds=60):
        """Wait until a condition is true, and return its result; elements may be replaced."""
        ignored = (StaleElementReferenceException,)
        return WebDriverWait(self, seconds, 0.02, ignored).until(lambda _: condition())

    def find_element(self, by=By.ID, value=None):
        element = super().find_element(by, value)
        element.find_again = lambda: super(Browser, self).find_element(by, value)
        return element

    def execute_script(self, script, *args):
        try:
            return super().execute_script(script, *args)
        except StaleElementReferenceException:
            if not refresh_elements(*args):
                raise
            return super().execute_script(script, *args)


def refresh_elements(*args):
    """Find the elements among the arguments again; return whether there are any."""
    elements = [arg for arg in args if isinstance(arg, Element) and arg.find_again is not None]
    for element in elements:
        element._id = element.find_again().id
    return bool(elements)


@contextmanager
def browser():
    """Open a browser whose console can be read; it is closed at the end."""
    options = webdriver.ChromeOptions()
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    assert chromium, "apt-get install chromium"
    assert driver, "apt-get install chromium-driver"
    options.binary_location = chromium
    opened = Browser(options, webdriver.ChromeService(driver))
    try:
        yield opened
    finally:
        opened.quit()


class Page:
    """A page of the explorer, with the actions of its user."""

    def __init__(self, browser, url):
        self.browser = browser
        self.url = url

    def open(self, path=""):
        self.browser.get(self.url + path)
        self.wait(lambda: self.find("#explorer").is_displayed() and self.text("#state"))

    def wait(self, condition):
        return self.browser.wait(condition)

    def find(self, css):
        return self.browser.find_element(By.CSS_SELECTOR, css)

    def all(self, css):
        return self.browser.find_elements(By.CSS_SELECTOR, css)

    def text(self, css):
        return self.find(css).text

    def spot(self, name):
        return self.find(f'#board [data-move="{name}"].spot')

    def plies(self):
        return len(self.all("#history li:not(.later)"))

    def move(self, *names):
        """Click on the board, and wait until the move is made."""
        plies_before = self.plies()
        for name in names:
            self.spot(name).click()
        self.wait(lambda: self.plies() == plies_before + 1)

    def listed(self):
        return [each.text.split("\n") for each in self.all("#moves li")]

    def console(self):
        return [line["message"] for line in self.browser.get_log("browser")]


@contextmanager
def running(site, solver=None):
    """Serve a site in a thread for the length of the block; yield its address.

    Users stop a site by Ctrl-C, but signals reach the main thread only, which is the test's.
    """
    site._server.capture_signals = contextmanager(lambda: (yield))
    thread = threading.Thread(target=site.serve, args=(solver,))
    thread.start()
    try:
        yield site.url
    finally:
        site._server.should_exit = True
        thread.join()


@contextmanager
def served(name, solver=None, solution=None):
    """Serve a game on this machine for the length of the block; yield its address."""
    room = ExplorerSession(name)
    if solution is not None:
        room.show(solution)
    with running(Site(room, "127.0.0.1", 0), solver) as url:
        yield url


@contextmanager
def screen(chromium, wide, high, *, theme="light", touch=False):
    """Emulate another screen for the length of the block."""
    size = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": touch}
    scheme = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)
    chromium.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": touch})
    try:
        yield
    finally:
        chromium.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@cache
def axe_source():
    """Return the source of axe."""
    spec = find_spec("axe_playwright_python")
    assert spec is not None, "pip install axe-playwright-python"
    return (Path(spec.submodule_search_locations[0]) / "axe.min.js").read_text()


def accessibility_faults(page):
    """Return the faults that axe finds on a page: rule, explanation and elements."""
    page.browser.execute_script(axe_source())
    return page.browser.execute_async_script(RUN_AXE)

"""Make a folder of screenshots of the explorer.

``PYTHONPATH=tests python -m support.browsers.screenshots OUT`` makes them in ``OUT``.

They are for people: ``index.html`` in the folder shows all of them, game by game. The browser needs
``chromium`` and ``chromedriver``. Each game is shown in light and dark, on a phone, at 200 %
zoom, and with the focus of the keyboard on the board.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from urllib.parse import quote

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import zermelo
from support.browsers.explorer import browser, served
from zermelo import games

GRAPH = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]

#: The games, each with the moves of a match.
SHOWN = {
    "tic-tac-toe": (games.TicTacToe, ["b2", "b3", "c3"]),
    "connect-four": (lambda: games.ConnectFour(4, 4), ["b", "b", "c"]),
    "chess": (lambda: games.ChessEnding("KQK", "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1"), []),
    "promotion": (lambda: games.ChessEnding("KPK", "8/4P3/8/8/8/2k5/8/4K3 w - - 0 1"), []),
    "cat-and-mouse": (lambda: games.CatAndMouse(GRAPH), ["3", "4"]),
    "take-away": (lambda: games.TakeAway(21), ["take 1", "take 1"]),
    "stone-game": (lambda: games.StoneGame([5, -3, 4, 5, 2, 7]), ["left", "left"]),
    "nim": (lambda: games.Nim((3, 4, 5)), []),
    "hex": (lambda: games.Hex(3, 3), []),
    "kalah": (lambda: games.Kalah(3, 2), []),
    "nine-mens-morris": (games.ThreeMensMorris, []),
    "dots-and-boxes": (games.DotsAndBoxes, []),
    "hexapawn": (games.Hexapawn, []),
}

#: The screens: width, height, size of a pixel, and colours.
SCREENS = {
    "light": (1280, 900, 1, "light"),
    "dark": (1280, 900, 1, "dark"),
    "phone": (360, 760, 1, "light"),
    "phone-dark": (390, 844, 1, "dark"),
    "zoom": (640, 450, 2, "light"),
}

#: The beginning of the page of all pictures.
HEAD = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Screenshots</title>
<style>body { font-family: system-ui } img { height: 30rem; margin: 0.5rem }</style>"""


def shoot(chromium, url, name, out, screens):
    """Photograph one game."""
    for screen in screens:
        wide, high, pixel, theme = SCREENS[screen]
        chromium.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": wide, "height": high, "deviceScaleFactor": pixel, "mobile": wide < 500},
        )
        scheme = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)
        chromium.get(url)
        chromium.wait(lambda: chromium.find_element(By.ID, "state").text)
        chromium.wait(lambda: chromium.find_element(By.ID, "line").text)
        chromium.save_screenshot(str(out / f"{name}-{screen}.png"))
        if screen == "light":
            tall = chromium.execute_script("return document.documentElement.scrollHeight")
            size = {"width": wide, "height": tall, "deviceScaleFactor": 1, "mobile": False}
            for details in chromium.find_elements(By.TAG_NAME, "summary"):
                chromium.execute_script("arguments[0].click()", details)
            size["height"] = chromium.execute_script("return document.documentElement.scrollHeight")
            chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            chromium.save_screenshot(str(out / f"{name}-whole.png"))
            keys = chromium.find_element(By.TAG_NAME, "body")
            keys.send_keys(Keys.TAB)
            chromium.execute_script("document.querySelector('#board [tabindex]')?.focus()")
            chromium.find_element(By.ID, "board").screenshot(str(out / f"{name}-focus.png"))


def list_pictures(out):
    """Write the page of all pictures in a folder."""
    parts = [HEAD]
    for game in SHOWN:
        names = [f"{game}-{kind}.png" for kind in (*SCREENS, "whole", "focus")]
        pictures = [name for name in names if (out / name).exists()]
        parts += [f"<h2>{game}</h2>"] if pictures else []
        parts += [f'<a href="{name}"><img src="{name}" alt="{name}"></a>' for name in pictures]
    (out / "index.html").write_text("\n".join(parts) + "\n", encoding="utf-8")


def main() -> int:
    """Photograph the games that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--game", action="append", choices=SHOWN)
    parser.add_argument("--screen", action="append", choices=SCREENS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with browser() as chromium:
        for name in options.game or SHOWN:
            make, moves = SHOWN[name]
            with served(name, solution=zermelo.solve(make())) as url:
                query = "&".join(f"move={quote(move)}" for move in moves)
                shoot(chromium, f"{url}?{query}", name, options.out, options.screen or SCREENS)
    list_pictures(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Pictures of positions, lines and trees, and their conversion to files."""

from __future__ import annotations

import io
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from pathlib import Path

from zermelo.atomic_write import check_file, write_bytes
from zermelo.errors import MissingExtraError, ParameterError

#: The formats of files, each with the package that it needs in addition to Zermelo.
FORMS = {".svg": "", ".png": "vl_convert", ".gif": "vl_convert", ".pdf": "vl_convert"}
#: The colours of ink and paper for a picture outside a page.
_INK, _PAPER = "#1c2430", "#ffffff"
#: The number of pictures in a row, the space between them, and the height of a caption.
_COLUMNS, _GAP, _CAPTION = 4, 16, 22
#: The most pixels of a picture, and of all pictures of a film together.
_MOST_PIXELS = 64_000_000
#: A number of seconds and a scale must be below this; a larger one is a mistake.
_LIMIT = 1000

_SIZE = re.compile(r"<svg\b[^>]*?\b(width|height)=\"([\d.]+)\"[^>]*?\b(width|height)=\"([\d.]+)\"")
_BOX = re.compile(r"<svg\b[^>]*?\bviewBox=\"([^\"]*)\"")
_VARIABLE = re.compile(r"var\(\s*--[\w-]+\s*(?:,\s*([^()]*(?:\([^()]*\))?))?\)")


@dataclass(frozen=True, repr=False)
class Picture:
    """One picture, or several in sequence; made by ``Solution.picture`` and others.

    Notebooks draw it. ``save`` writes it to a file: SVG needs no package, PNG, GIF and PDF need the
    extra ``pictures``.

    Attributes:
        frames: the pictures, an ``<svg>`` element each.
        captions: the text below each picture; by default there are no captions.
    """

    frames: tuple[str, ...]
    captions: tuple[str, ...] = ()

    @property
    def svg(self) -> str:
        """The picture as one ``<svg>`` element, with several pictures in rows."""
        return (
            self.frames[0] if len(self.frames) == 1 else _picture_rows(self.frames, self.captions)
        )

    def png(self, *, scale: float = 2.0) -> bytes:
        """Return the picture as a PNG image, on white.

        Args:
            scale: pixels of the image for each unit of the picture.

        Raises:
            MissingExtraError: vl-convert-python or Pillow is not installed: run
                ``pip install 'zermelo[pictures]'``.
            ParameterError: the scale is not a number above 0, or makes the image too large.
        """
        return _png(self.svg, scale)

    def gif(self, *, scale: float = 2.0, seconds: float = 1.0) -> bytes:
        """Return the pictures in sequence, as an animated GIF that repeats.

        Args:
            scale: pixels of the image for each unit of the picture.
            seconds: how long each picture is shown; the last one is shown three times as long.

        Raises:
            MissingExtraError: vl-convert-python or Pillow is not installed.
            ParameterError: an argument makes no sense, or the images are too large.
        """
        _positive_number("seconds", seconds)
        _require_package("PIL", "gif")
        from PIL import Image

        size = _largest_size(self.frames)
        captions = self.captions or ("",) * len(self.frames)
        caption_height = _CAPTION if any(captions) else 0
        if (
            len(self.frames)
            * size[0]
            * (size[1] + caption_height)
            * _positive_number("scale", scale) ** 2
            > _MOST_PIXELS
        ):
            message = (
                f"{len(self.frames):,} pictures with scale={scale!r} are too large for a film; "
                "make it smaller, or give a shorter line"
            )
            raise ParameterError(message)
        images = [
            Image.open(
                io.BytesIO(_png(_frame_picture(svg, caption, size, caption_height), scale))
            ).convert("RGB")
            for svg, caption in zip(self.frames, captions, strict=True)
        ]
        durations = [round(1000 * seconds)] * (len(images) - 1) + [round(3000 * seconds)]
        indexed_images = [image.quantize(64, dither=Image.Dither.NONE) for image in images]
        stream = io.BytesIO()
        indexed_images[0].save(
            stream, "GIF", save_all=True, append_images=indexed_images[1:], duration=durations,
            loop=0, disposal=1,
        )  # fmt: skip
        return stream.getvalue()

    def pdf(self) -> bytes:
        """Return the picture as a PDF page, on white; lines and letters stay sharp at any size.

        Raises:
            MissingExtraError: vl-convert-python is not installed.
        """
        _require_package("vl_convert", "pdf")
        import vl_convert

        document: bytes = vl_convert.svg_to_pdf(_print_svg(self.svg))
        return document

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        scale: float = 2.0,
        seconds: float = 1.0,
        overwrite: bool = False,
    ) -> Path:
        """Write the picture to a file, atomically.

        Args:
            path: the file; its ending determines the format: ``.svg``, ``.png``, ``.pdf`` or
                ``.gif``. With several pictures, ``.gif`` shows them in sequence, and the others
                show all in rows.
            scale: pixels for each unit of the picture, for PNG and GIF.
            seconds: how long a GIF shows each picture.
            overwrite: whether an existing file may be replaced.

        Returns:
            The path.

        Raises:
            ParameterError: the path has another ending, or a number makes no sense.
            MissingExtraError: a package is not installed: ``pip install 'zermelo[pictures]'``.
            TableExistsError: there is a file, and it may not be replaced.
            TableWriteError: the file cannot be written.
        """
        target = Path(path)
        form = target.suffix.lower()
        if form not in FORMS:
            message = f"{str(target)!r} does not end in {', '.join(FORMS)}; use one of them"
            raise ParameterError(message)
        check_file(target, overwrite=overwrite)
        content = {
            ".svg": lambda: stand_alone_svg(self.svg, ink="").encode(),
            ".png": lambda: self.png(scale=scale),
            ".gif": lambda: self.gif(scale=scale, seconds=seconds),
            ".pdf": self.pdf,
        }[form]()
        write_bytes(target, content)
        return target

    def __repr__(self) -> str:
        """Return a text with the number of pictures, and their size."""
        width, height = (f"{side:.0f}" for side in _size(self.svg))
        count = f"{len(self.frames)} frames, " if len(self.frames) > 1 else ""
        return f"<Picture, {count}{width}×{height}>"

    def _repr_html_(self) -> str:
        """Return the picture, in the colours of the page, for notebooks."""
        return self.svg


class PicturedAnswer(ABC):
    """An answer with a picture, which can be saved to a file."""

    __slots__ = ()

    @property
    @abstractmethod
    def picture(self) -> Picture:
        """The picture."""

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        scale: float = 2.0,
        seconds: float = 1.0,
        overwrite: bool = False,
    ) -> Path:
        """Write the picture to a file.

        Args:
            path: the file; its ending determines the format: ``.svg``, ``.png``, ``.pdf`` or
                ``.gif``. With several positions, ``.gif`` is a film, and the others show all in
                rows.
            scale: pixels for each unit of the picture, for PNG and GIF.
            seconds: how long a GIF shows each position.
            overwrite: whether an existing file may be replaced.

        Returns:
            The path.

        Raises:
            ParameterError: the path has another ending, or a number makes no sense.
            MissingExtraError: a package is not installed: ``pip install 'zermelo[pictures]'``.
            TableExistsError: there is a file, and it may not be replaced.
            TableWriteError: the file cannot be written.
        """
        return self.picture.save(path, scale=scale, seconds=seconds, overwrite=overwrite)


def stand_alone_svg(svg: str, *, ink: str = _INK) -> str:
    """Return an ``<svg>`` element as a stand-alone picture.

    Args:
        svg: the element.
        ink: the colour of lines and letters; with "" they have the colour of the surrounding text.
    """
    text = _VARIABLE.sub(lambda match: (match[1] or "currentColor").strip(), svg)
    if ink:
        return text.replace("currentColor", ink)
    return text.replace("<svg ", f'<svg color="{_INK}" ', 1)


def _require_package(package: str, form: str) -> None:
    if find_spec(package) is None:
        message = f"a .{form} picture needs {package}; run pip install 'zermelo[pictures]'"
        raise MissingExtraError(message)


def _positive_number(name: str, number: object) -> float:
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 < number < _LIMIT:
        message = f"{name}={number!r} is not a number above 0; give one such as 1.5"
        raise ParameterError(message)
    return float(number)


def _png(svg: str, scale: float) -> bytes:
    for package in ("vl_convert", "PIL"):
        _require_package(package, "png")
    import vl_convert
    from PIL import Image

    width, height = _size(svg)
    if width * height * _positive_number("scale", scale) ** 2 > _MOST_PIXELS:
        message = f"scale={scale!r} makes the picture too large; give a smaller one, or use .svg"
        raise ParameterError(message)
    image = vl_convert.svg_to_png(_print_svg(svg), scale=float(scale))
    stream = io.BytesIO()  # compressed again: the output of Vega takes about nine times the space
    Image.open(io.BytesIO(image)).convert("RGB").save(stream, "PNG")
    return stream.getvalue()


def _print_svg(svg: str) -> str:
    """Return a picture on white paper in its own size, independent of the colours of a page."""
    size = _size(svg)
    paper = f'<rect width="{size[0]:g}" height="{size[1]:g}" fill="{_PAPER}"/>'
    return stand_alone_svg(_page([paper, _placed_picture(svg, 0, 0, size)], size))


def _size(svg: str) -> tuple[float, float]:
    """Return the width and the height of an ``<svg>`` element, in its units."""
    if (match := _SIZE.search(svg)) is not None:
        sides = {match[1]: float(match[2]), match[3]: float(match[4])}
        if sides.keys() == {"width", "height"}:
            return sides["width"], sides["height"]
    if (match := _BOX.search(svg)) is not None:
        _, _, width, height = map(float, re.split(r"[ ,]+", match[1].strip()))
        return width, height
    return 300.0, 150.0


def _largest_size(frames: Sequence[str]) -> tuple[float, float]:
    sizes = [_size(frame) for frame in frames]
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def _frame_picture(svg: str, caption: str, size: tuple[float, float], caption_height: float) -> str:
    """Return a picture on paper of a given size, with a caption below it."""
    return _page(
        [_placed_picture(svg, 0, 0, size), _caption_text(caption, size, caption_height)],
        (size[0], size[1] + caption_height),
    )


def _caption_text(
    caption: str, size: tuple[float, float], height: float, x: float = 0, y: float = 0
) -> str:
    if not caption:
        return ""
    across, down = x + size[0] / 2, y + size[1] + height / 2
    return (
        f'<text x="{across:.1f}" y="{down:.1f}" dy=".35em" font-size="13" text-anchor="middle" '
        f'fill="currentColor" stroke="none">{escape(caption)}</text>'
    )


def _placed_picture(svg: str, x: float, y: float, size: tuple[float, float]) -> str:
    """Return an ``<svg>`` element centred in a rectangle of another one."""
    width, height = _size(svg)
    left, top = x + (size[0] - width) / 2, y + (size[1] - height) / 2
    head, _, body = svg.partition(">")
    box = "" if "viewBox=" in head else f' viewBox="0 0 {width:g} {height:g}"'
    unplaced = re.sub(r"\s(?:x|y|width|height)=\"[^\"]*\"", "", head)
    place = f' x="{left:.1f}" y="{top:.1f}" width="{width:g}" height="{height:g}"{box}'
    return unplaced.replace("<svg", f"<svg{place}", 1) + ">" + body


def _page(parts: Sequence[str], size: tuple[float, float]) -> str:
    width, height = (f"{side:.0f}" for side in size)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" style="max-width:100%" '
        f'font-family="system-ui,sans-serif">{"".join(parts)}</svg>'
    )


def _picture_rows(frames: Sequence[str], captions: Sequence[str]) -> str:
    """Return pictures in rows, with their captions."""
    size = _largest_size(frames)
    caption_height = _CAPTION if any(captions) else 0
    columns = min(_COLUMNS, len(frames))
    parts = []
    for n, svg in enumerate(frames):
        x = (n % columns) * (size[0] + _GAP)
        y = (n // columns) * (size[1] + caption_height + _GAP)
        parts.append(_placed_picture(svg, x, y, size))
        if captions:
            parts.append(_caption_text(captions[n], size, caption_height, x, y))
    rows = -(-len(frames) // columns)
    total = (columns * (size[0] + _GAP) - _GAP, rows * (size[1] + caption_height + _GAP) - _GAP)
    return _page(parts, total)

"""Draws curves over axes as SVG: panels side by side, each with its legend. Used by the plots of tools/bench."""
import math
from html import escape

PLOT_WIDTH, PLOT_HEIGHT = 400, 230
LEFT, TOP, BOTTOM, LEGEND_WIDTH = 52, 40, 36, 150
PANEL_WIDTH = LEFT + PLOT_WIDTH + LEGEND_WIDTH
PANEL_HEIGHT = TOP + PLOT_HEIGHT + BOTTOM
COLUMNS = 2
COLOURS = ["#1b6ca8", "#c8442b", "#2a8f5b", "#8e4fa8", "#c98a12", "#4c4c4c", "#3fa7a0", "#d16ba5"]
PEERS = ("CUB", "GNU sort", "DuckDB")


class Axis:
    """Maps values to pixels, linearly or by their logarithm. Holds the ticks to write."""

    def __init__(self, ticks, length, logarithmic):
        self.ticks, self.length = ticks, length
        self.place = math.log2 if logarithmic else float
        self.low = self.place(ticks[0])
        self.span = max(self.place(ticks[-1]) - self.low, 1e-9)

    def at(self, value):
        share = (self.place(value) - self.low) / self.span
        return min(max(share, 0), 1) * self.length


def powers_around(values, base):
    low = math.floor(math.log(min(values), base))
    high = max(math.ceil(math.log(max(values), base)), low + 1)
    return [float(base) ** k for k in range(low, high + 1)]


def text(x, y, content, anchor="start", extra=""):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}"{extra}>{escape(content)}</text>'


def line(x1, y1, x2, y2, colour, extra=""):
    return f'<path d="M{x1:.0f} {y1:.0f}L{x2:.0f} {y2:.0f}" stroke="{colour}"{extra}/>'


def grid(x, y, mark, label):
    """Draws tick lines and their labels; `mark` is the value whose line stands out, `label` names a tick below."""
    parts = []
    for tick in x.ticks:
        parts.append(line(LEFT + x.at(tick), TOP, LEFT + x.at(tick), TOP + PLOT_HEIGHT, "#e4e4e4"))
        parts.append(text(LEFT + x.at(tick), TOP + PLOT_HEIGHT + 15, label(tick), "middle"))
    for tick in y.ticks:
        height = TOP + PLOT_HEIGHT - y.at(tick)
        parts.append(line(LEFT, height, LEFT + PLOT_WIDTH, height, "#666" if tick == mark else "#e4e4e4"))
        parts.append(text(LEFT - 5, height + 4, f"{tick:g}", "end"))
    return parts


def dashes(name):
    return ' stroke-dasharray="5 3"' if name.startswith(PEERS) else ""


def curve(name, points, x, y, colour):
    places = " ".join(f"{LEFT + x.at(count):.0f},{TOP + PLOT_HEIGHT - y.at(value):.1f}" for count, value in points)
    return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.8"{dashes(name)}/>'


def panel(title, series, x, y, mark=None, label="{:g}".format):
    """Draws `series`, which maps names to [(x, y)], over the axes. Names that begin with a peer's are dashed."""
    parts = [text(LEFT, TOP - 12, title, extra=' font-weight="bold"')] + grid(x, y, mark, label)
    for index, (name, points) in enumerate(series.items()):
        colour = COLOURS[index % len(COLOURS)]
        parts.append(curve(name, sorted(points), x, y, colour))
        height = TOP + 8 + 16 * index
        parts.append(line(LEFT + PLOT_WIDTH + 10, height, LEFT + PLOT_WIDTH + 26, height, colour, dashes(name)))
        parts.append(text(LEFT + PLOT_WIDTH + 31, height + 4, name))
    return parts


def draw(title, panels):
    columns = min(COLUMNS, len(panels))
    width, height = PANEL_WIDTH * columns, 34 + PANEL_HEIGHT * math.ceil(len(panels) / columns)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        text(LEFT, 22, title, extra=' font-size="14"'),
    ]
    for index, panel_parts in enumerate(panels):
        x, y = PANEL_WIDTH * (index % columns), 34 + PANEL_HEIGHT * (index // columns)
        parts += [f'<g transform="translate({x},{y})">', *panel_parts, "</g>"]
    return "\n".join(parts + ["</svg>", ""])

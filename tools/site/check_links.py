"""Checks that every link within the site leads to a file that is there, and to an anchor that is there.

usage: check_links.py SITE

Of links that leave the site the form alone is looked at: no network is needed.
"""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links of a page, with the lines in which they stand, and its anchors."""

    def __init__(self, path: pathlib.Path) -> None:
        super().__init__()
        self.links: list[tuple[int, str]] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value or "")
            elif name in ("href", "src"):
                self.links.append((self.getpos()[0], value or ""))


def trouble(link: str, path: pathlib.Path, pages: dict[pathlib.Path, Page]) -> str | None:
    parts = urllib.parse.urlsplit(link)
    if parts.scheme in ("http", "https"):
        return None if "." in parts.netloc and " " not in link else "is no address"
    if parts.scheme == "data":
        return None
    if parts.scheme or parts.netloc:
        return "is of a kind that is not expected"
    target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return "leads to no file"
    anchor = urllib.parse.unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].anchors:
        return "leads to no such place in its page"
    return None


def main() -> None:
    site = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    count, wrong = 0, []
    for path, page in pages.items():
        count += len(page.links)
        wrong += [f"{path.relative_to(site)}:{line}: {link or 'an empty link'} {why}" for line, link in page.links
                  if (why := trouble(link, path, pages))]
    if not count:
        sys.exit(f"{site} has no links")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{count} links in {len(pages)} pages lead somewhere")


if __name__ == "__main__":
    main()

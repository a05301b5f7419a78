"""An object of a web server that is written: it waits in a file, and goes by one PUT, as signed URLs and WebDAV take
it. obstore would hold it in memory."""

from __future__ import annotations

import http.client
import time
import urllib.parse
from typing import Any

from .._errors import Error, file_error
from .._scratch_files import ScratchOutput
from .store import RETRIES, SILENCE, ObjectName

_PIECE_BYTES = 1 << 20


class WebOutput(ScratchOutput):
    """Waits in `scratch`."""

    def __init__(self, name: ObjectName, url: str, scratch: Any) -> None:
        super().__init__(str(name), scratch)
        self._url = url

    def finish(self) -> None:
        tries, wait = RETRIES["max_retries"] + 1, RETRIES["backoff"]["init_backoff"].total_seconds()
        for number in range(1, tries + 1):
            status, reason = self._put()
            if 200 <= status < 300:
                break
            if number == tries or (status and status < 500):
                self._fail(status, reason, number)
            time.sleep(wait)
            wait = min(2 * wait, RETRIES["backoff"]["max_backoff"].total_seconds())
        self.discard()

    def _put(self) -> tuple[int, str]:
        """The status and what it means; 0 where there is no answer."""
        place = urllib.parse.urlsplit(self._url)
        kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
        connection = kind(place.netloc, timeout=SILENCE.total_seconds())
        size = self.rewind()
        target = urllib.parse.quote(place.path or "/",
                                    safe="/%:@!$&'()*+,;=-._~") + (f"?{place.query}" if place.query else "")
        try:
            connection.request("PUT", target, body=self.pieces(_PIECE_BYTES),
                               headers={"Content-Length": str(size), "Content-Type": "application/octet-stream"})
            answer = connection.getresponse()
            return answer.status, answer.reason
        except TimeoutError:
            return 0, "no answer in time"
        except (OSError, http.client.HTTPException):
            return 0, "no connection"
        finally:
            connection.close()

    def _fail(self, status: int, reason: str, tries: int) -> None:
        told = f"the server says {status} {reason}" if status else reason
        message = f"cannot write '{self.path}': {told}" + (f", {tries} times" if tries > 1 else "")
        raise file_error(message, None, 13, self.path) if status in (401, 403) else Error(message)

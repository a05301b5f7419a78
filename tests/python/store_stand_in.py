"""Servers that speak as much of S3, of Google's and of Azure's stores as Sortie asks for, on the loopback, in memory,
and fail as they are told. They also answer as a plain web server does: an object is at
http://127.0.0.1:PORT/BUCKET/KEY. This is what they share; s3_stand_in.py and azure_stand_in.py have the requests."""

import collections
import dataclasses
import hashlib
import http.server
import re
import socket
import threading
import time
import urllib.parse

OPERATIONS = ("head", "list", "get", "put", "create", "part", "complete", "abort", "delete")


@dataclasses.dataclass
class Fault:
    """What goes wrong with requests of one operation. kind: "refused" (403), "missing" (404), "unavailable" (503),
    "cut" (the connection ends in the middle), "answer lost" (it ends when all is done, in front of the answer), "slow"
    (an answer after `seconds`), "wrong length" (fewer bytes than were asked for), "changed" (the object is another one
    from then on, if its name begins with `where`). after: how many requests are answered well before. times: how many
    fail; the default is all."""

    operation: str
    kind: str
    after: int = 0
    times: int = 1 << 30
    seconds: float = 0.5
    where: str = ""

    def strikes(self):
        if self.after > 0:
            self.after -= 1
            return False
        self.times -= 1
        return self.times >= 0


class StoreStandIn:
    """A class of this kind has these three, and environment(), by which obstore finds it. scheme: of its URLs. handler:
    of requests. lacks: operations that its protocol has not.

    objects: maps "bucket/key" to bytes. others: what they change to. uploads: what was begun, and is neither complete
    nor aborted. asked: operation, path and headers of all requests. most_at_once: requests of each operation."""

    scheme = ""
    handler = None
    lacks = ()

    def __init__(self):
        self.objects, self.others, self.uploads, self.faults, self.asked = {}, {}, {}, [], []
        self.begun = {}  # when each upload was
        self.uploads_of_page = 1000  # of a list of them
        self.markers = ("NextKeyMarker", "NextUploadIdMarker")  # that such a page tells
        self.counts = collections.Counter()
        self.most_at_once, self._at_once = collections.Counter(), collections.Counter()
        self.seconds = 0.0  # of each answer, as far away as a store may be
        self._lock = threading.Lock()
        self._tags = {}
        self.without_tags = False
        handler = type("Handler", (self.handler,), {"store": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def environment(self):
        raise NotImplementedError

    def fail(self, operation, kind, **how):
        with self._lock:
            self.faults.append(Fault(operation, kind, **how))

    def fault_of(self, operation):
        with self._lock:
            self.counts[operation] += 1
            return next((fault for fault in self.faults if fault.operation == operation and fault.strikes()), None)

    def enter(self, operation, step):
        with self._lock:
            self._at_once[operation] += step
            self.most_at_once[operation] = max(self.most_at_once[operation], self._at_once[operation])

    def change(self, name):
        with self._lock:
            now = self.objects[name]
            self.objects[name], self.others[name] = self.others.get(name, bytes(reversed(now))), now
            self._tags.pop(name, None)

    def tag_of(self, name):
        content = self.objects[name]
        if self._tags.get(name, (None,))[0] is not content:
            self._tags[name] = content, f'"{hashlib.md5(content).hexdigest()}"'
        return self._tags[name][1]


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """Clients that go are no news."""


class StoreHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    store = None
    _fault = None

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self._do("head", lambda _: self._give(None))

    def _where(self):
        path, _, query = self.path.partition("?")
        return (urllib.parse.unquote(path).strip("/"),
                dict(urllib.parse.parse_qsl(query, keep_blank_values=True)))

    def _begin(self, operation):
        self.store.asked.append((operation, self.path, dict(self.headers)))
        time.sleep(self.store.seconds)
        return self.store.fault_of(operation)

    def _do(self, operation, answer):
        """Answers a request by answer(body), unless it fails otherwise."""
        size = int(self.headers.get("Content-Length", 0))
        self.store.enter(operation, 1)
        try:
            fault = self._fault = self._begin(operation)
            if fault and fault.kind == "cut" and operation != "get":
                self.rfile.read(size // 2)
                return self._cut()
            body = self.rfile.read(size)
            if self._fails(fault):
                return None
            if fault and fault.kind == "wrong length" and operation in ("put", "part"):
                return self._error(400, "IncompleteBody")
            answer(body)
        finally:
            self.store.enter(operation, -1)
        return None

    def _put(self, name, content):
        self.store.objects[name] = content
        self._reply(201 if self.store.scheme == "az" else 200, b"", ETag=self.store.tag_of(name))

    def _page(self, bucket, query, first):
        """So many names that begin with a prefix, from `first` on, cut to folders by a delimiter, and whether more
        follow."""
        begin = f"{bucket}/{query.get('prefix', '')}"
        names = {name for name in self.store.objects if name.startswith(begin)}
        if delimiter := query.get("delimiter"):
            names = {begin + re.split(f"(?<={re.escape(delimiter)})", name.removeprefix(begin))[0] for name in names}
        page = sorted(names)[first:first + 3]  # small pages, so that tests come to the second one
        return [name.partition("/")[2] for name in page], first + 3 < len(names)

    def _fails(self, fault):
        """Whether the request has had its answer."""
        if fault is None:
            return False
        if fault.kind == "slow":
            time.sleep(fault.seconds)
        name = self._where()[0]
        if fault.kind == "changed" and name in self.store.objects and name.startswith(fault.where):
            self.store.change(name)
        codes = {"refused": (403, "AccessDenied"), "missing": (404, "NoSuchKey"), "unavailable": (503, "SlowDown")}
        if fault.kind in codes:
            self._error(*codes[fault.kind])
        return fault.kind in codes

    def _give(self, wanted):
        name, _ = self._where()
        if name not in self.store.objects:
            return self._error(404, "NoSuchKey")
        content, tag = self.store.objects[name], self.store.tag_of(name)
        if self.headers.get("If-Match", tag) != tag:
            return self._error(412, "PreconditionFailed")
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", wanted or "")
        if not found:
            return self._reply(200, content, ETag=tag)
        begin = int(found[1])
        end = min(len(content), int(found[2]) + 1 if found[2] else len(content))
        if begin >= end:
            return self._error(416, "InvalidRange")
        if self._fault and self._fault.kind == "wrong length":
            end -= 1 + (end - begin) // 3
        headers = {"ETag": tag, "Content-Range": f"bytes {begin}-{end - 1}/{len(content)}"}
        return self._reply(206, content[begin:end], **headers)

    def _xml(self, text):
        self._reply(200, f'<?xml version="1.0" encoding="UTF-8"?>{text}'.encode())

    def _error(self, status, code):
        body = f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode()
        self._reply(status, body)

    def _reply(self, status, body, **headers):
        fault = self._fault
        if fault and fault.kind == "answer lost":
            return self._cut()
        self.send_response(status)
        for name, value in {"Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT", "Content-Length": len(body),
                            **headers}.items():
            if name != "ETag" or not self.store.without_tags:
                self.send_header(name, str(value))
        self.end_headers()
        if self.command == "HEAD":
            return None
        if fault and fault.kind == "cut":
            self.wfile.write(body[:len(body) // 2])
            self._cut()
        else:
            self.wfile.write(body)
        return None

    def _cut(self):
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

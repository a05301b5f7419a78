"""A server that speaks as much of S3 as Sortie asks for, on the loopback, in memory, and fails as it is told. It also answers
as a plain web server does: its objects are at http://127.0.0.1:PORT/BUCKET/KEY."""

import collections
import dataclasses
import hashlib
import http.server
import re
import socket
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

OPERATIONS = ("head", "list", "get", "put", "create", "part", "complete", "abort")


@dataclasses.dataclass
class Fault:
    """What goes wrong with requests of one operation. kind: "refused" (403), "missing" (404), "unavailable" (503), "cut" (the
    connection ends in the middle), "slow" (an answer after `seconds`), "wrong length" (fewer bytes than were asked for),
    "changed" (the object is another one from then on). after: how many requests are answered well before. times: how many
    fail; the default is all."""

    operation: str
    kind: str
    after: int = 0
    times: int = 1 << 30
    seconds: float = 0.5

    def strikes(self):
        if self.after > 0:
            self.after -= 1
            return False
        self.times -= 1
        return self.times >= 0


class S3StandIn:
    """objects: maps "bucket/key" to bytes. others: what they change to. uploads: what was begun, and is neither complete nor
    aborted. asked: operation, path and headers of all requests."""

    def __init__(self):
        self.objects, self.others, self.uploads, self.faults, self.asked = {}, {}, {}, [], []
        self.counts = collections.Counter()
        self.most_at_once = self._at_once = 0
        self.seconds = 0.0  # of each answer, as far away as a store may be
        self._lock = threading.Lock()
        self._tags = {}
        self.without_tags = False
        handler = type("Handler", (_Handler,), {"store": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def environment(self):
        return {"AWS_ENDPOINT_URL": self.url, "AWS_ALLOW_HTTP": "true", "AWS_ACCESS_KEY_ID": "AKIATHEKEY",
                "AWS_SECRET_ACCESS_KEY": "thesecretofthekey", "AWS_REGION": "us-east-1", "NO_PROXY": "127.0.0.1"}

    def fail(self, operation, kind, **how):
        with self._lock:
            self.faults.append(Fault(operation, kind, **how))

    def fault_of(self, operation):
        with self._lock:
            self.counts[operation] += 1
            return next((fault for fault in self.faults if fault.operation == operation and fault.strikes()), None)

    def enter(self, step):
        with self._lock:
            self._at_once += step
            self.most_at_once = max(self.most_at_once, self._at_once)

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


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    store = None

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self._answer("head", lambda: self._give(None))

    def do_GET(self):
        name, query = self._where()
        if "list-type" in query:
            self._answer("list", lambda: self._list(name, query))
        else:
            self._answer("get", lambda: self._give(self.headers.get("Range")))

    def do_PUT(self):
        name, query = self._where()
        part = "partNumber" in query
        fault = self._begin("part" if part else "put")
        size = int(self.headers["Content-Length"])
        if fault and fault.kind == "cut":
            self.rfile.read(size // 2)
            return self._cut()
        body = self.rfile.read(size)
        if self._fails(fault):
            return None
        if fault and fault.kind == "wrong length":
            return self._error(400, "IncompleteBody")
        if part:
            upload = self.store.uploads.get(query["uploadId"])
            if upload is None or upload[0] != name:
                return self._error(404, "NoSuchUpload")
            upload[1][int(query["partNumber"])] = body
        else:
            self.store.objects[name] = body
        return self._reply(200, b"", ETag=f'"{hashlib.md5(body).hexdigest()}"')

    def do_POST(self):
        name, query = self._where()
        size = int(self.headers.get("Content-Length", 0))
        fault = self._begin("create" if "uploads" in query else "complete")
        self.rfile.read(size)
        if fault and fault.kind == "cut":
            return self._cut()
        if self._fails(fault):
            return None
        if "uploads" in query:
            number = f"upload-{self.store.counts['create']}"
            self.store.uploads[number] = name, {}
            return self._xml(f"<InitiateMultipartUploadResult><UploadId>{number}</UploadId></InitiateMultipartUploadResult>")
        if fault and fault.kind == "wrong length":
            return self._xml("<Error><Code>InternalError</Code></Error>")  # as S3 does: 200, and yet an error
        upload = self.store.uploads.pop(query["uploadId"], None)
        if upload is None:
            return self._error(404, "NoSuchUpload")
        self.store.objects[name] = b"".join(upload[1][number] for number in sorted(upload[1]))
        return self._xml(f"<CompleteMultipartUploadResult><ETag>{escape(self.store.tag_of(name))}</ETag>"
                         "</CompleteMultipartUploadResult>")

    def do_DELETE(self):
        _, query = self._where()
        fault = self._begin("abort")
        if fault and fault.kind == "cut":
            return self._cut()
        if self._fails(fault):
            return None
        self.store.uploads.pop(query.get("uploadId"), None)
        return self._reply(204, b"")

    def _where(self):
        path, _, query = self.path.partition("?")
        return (urllib.parse.unquote(path).strip("/"),
                dict(urllib.parse.parse_qsl(query, keep_blank_values=True)))

    def _begin(self, operation):
        self.store.asked.append((operation, self.path, dict(self.headers)))
        time.sleep(self.store.seconds)
        return self.store.fault_of(operation)

    def _answer(self, operation, give):
        self.store.enter(1)
        try:
            self._fault = self._begin(operation)
            if self._fault and self._fault.kind == "cut" and operation != "get":
                return self._cut()
            if not self._fails(self._fault):
                give()
        finally:
            self.store.enter(-1)
        return None

    def _fails(self, fault):
        """Whether the request has had its answer."""
        if fault is None:
            return False
        if fault.kind == "slow":
            time.sleep(fault.seconds)
        if fault.kind == "changed" and (name := self._where()[0]) in self.store.objects:
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

    def _list(self, bucket, query):
        begin = f"{bucket}/{query.get('prefix', '')}"
        if self._fault and self._fault.kind == "wrong length":
            return self._xml("<ListBucketResult><Contents><Key>")
        names = sorted(name for name in self.store.objects if name.startswith(begin))
        first = int(query.get("continuation-token", 0))
        page = names[first:first + 3]  # small pages, so that tests come to the second one
        items = "".join(f"<Contents><Key>{escape(name.partition('/')[2])}</Key><Size>{len(self.store.objects[name])}</Size>"
                        f"<LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>{escape(self.store.tag_of(name))}</ETag>"
                        "</Contents>" for name in page)
        more = first + 3 < len(names)
        token = f"<NextContinuationToken>{first + 3}</NextContinuationToken>" if more else ""
        return self._xml(f"<ListBucketResult><IsTruncated>{str(more).lower()}</IsTruncated>{items}{token}</ListBucketResult>")

    def _xml(self, text):
        self._reply(200, f'<?xml version="1.0" encoding="UTF-8"?>{text}'.encode())

    def _error(self, status, code):
        body = f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode()
        self._reply(status, body)

    def _reply(self, status, body, **headers):
        self.send_response(status)
        for name, value in {"Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT", "Content-Length": len(body), **headers}.items():
            if name != "ETag" or not self.store.without_tags:
                self.send_header(name, str(value))
        self.end_headers()
        if self.command == "HEAD":
            return
        fault = getattr(self, "_fault", None)
        if fault and fault.kind == "cut":
            self.wfile.write(body[:len(body) // 2])
            self._cut()
        else:
            self.wfile.write(body)

    def _cut(self):
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

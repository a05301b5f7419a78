"""Azure's requests: an upload is blocks without a name, which one request makes an object. What is given up needs none:
the store forgets blocks after a week."""

import base64
import re
from xml.sax.saxutils import escape

from store_stand_in import StoreHandler, StoreStandIn


class _Handler(StoreHandler):
    def do_GET(self):
        name, query = self._where()
        if query.get("comp") == "list":
            self._do("list", lambda _: self._list(name, query))
        else:
            self._do("get", lambda _: self._give(self.headers.get("x-ms-range") or self.headers.get("Range")))

    def do_PUT(self):
        name, query = self._where()
        if query.get("comp") == "block":
            self._do("part", lambda body: self._put_block(name, query["blockid"], body))
        elif query.get("comp") == "blocklist":
            self._do("complete", lambda body: self._complete(name, body.decode()))
        else:
            self._do("put", lambda body: self._put(name, body))

    def do_DELETE(self):
        name, _ = self._where()
        self._do("delete", lambda _: self._reply(202, b"", gone=self.store.objects.pop(name, None) is None))

    def do_POST(self):
        self._do("delete", lambda body: self._delete_several(body.decode()))

    def _put_block(self, name, number, body):
        self.store.blocks.setdefault(name, {})[number] = body
        self._reply(201, b"")

    def _complete(self, name, wanted):
        if self._fault and self._fault.kind == "wrong length":
            return self._error(400, "InvalidBlockList")
        blocks = self.store.blocks.pop(name, {})
        numbers = re.findall("<Uncommitted>(.*?)</Uncommitted>", wanted)
        if not all(number in blocks for number in numbers):
            return self._error(400, "InvalidBlockList")
        return self._put(name, b"".join(blocks[number] for number in numbers))

    def _delete_several(self, wanted):
        """A batch: requests within the request, and answers within the answer."""
        mark = "batchresponse_1"
        parts = []
        for number, path in enumerate(re.findall(r"DELETE (\S+) HTTP/1.1", wanted)):
            self.path = path
            self.store.objects.pop(self._where()[0], None)
            parts.append(f"--{mark}\r\nContent-Type: application/http\r\nContent-ID: {number}\r\n\r\n"
                         "HTTP/1.1 202 Accepted\r\nx-ms-request-id: 1\r\nServer: x\r\n\r\n")
        self._reply(202, ("\r\n".join(parts) + f"\r\n--{mark}--").encode(),
                    **{"Content-Type": f"multipart/mixed; boundary={mark}"})

    def _list(self, container, query):
        if self._fault and self._fault.kind == "wrong length":
            return self._xml("<EnumerationResults><Blobs><Blob>")
        first = int(query.get("marker") or 0)
        keys, has_more = self._page(container, query, first)
        items = "".join(self._item(container, key) for key in keys)
        marker = first + 3 if has_more else ""
        return self._xml(f"<EnumerationResults><Blobs>{items}</Blobs><NextMarker>{marker}</NextMarker></EnumerationResults>")

    def _item(self, container, key):
        if key.endswith("/"):
            return f"<BlobPrefix><Name>{escape(key)}</Name></BlobPrefix>"
        name = f"{container}/{key}"
        return (f"<Blob><Name>{escape(key)}</Name><Properties><Last-Modified>Thu, 01 Jan 2026 00:00:00 "
                f"GMT</Last-Modified><Content-Length>{len(self.store.objects[name])}</Content-Length><Content-Type>x</Content-Type>"
                f"<Etag>{escape(self.store.tag_of(name))}</Etag></Properties></Blob>")


class AzureStandIn(StoreStandIn):
    """blocks: of objects that are not complete."""

    scheme = "az"
    handler = _Handler
    lacks = ("create", "abort")

    def __init__(self):
        self.blocks = {}
        super().__init__()

    def environment(self):
        return {"AZURE_STORAGE_ACCOUNT_NAME": "account", "AZURE_STORAGE_ENDPOINT": self.url, "NO_PROXY": "127.0.0.1",
                "AZURE_STORAGE_ACCOUNT_KEY": base64.b64encode(b"thesecretofthekey").decode()}

"""S3's requests, and those of Google's store, which are the same."""

import datetime
import hashlib
import json
import re
import tempfile
import urllib.parse
from xml.sax.saxutils import escape, unescape

from store_stand_in import StoreHandler, StoreStandIn

QUOTES = {"'": "&apos;", '"': "&quot;"}


class _Handler(StoreHandler):
    def do_GET(self):
        name, query = self._where()
        if "uploads" in query:
            self._do("uploads", lambda _: self._list_uploads(name, query))
        elif "list-type" in query:
            self._do("list", lambda _: self._list(name, query))
        else:
            self._do("get", lambda _: self._give(self.headers.get("Range")))

    def do_PUT(self):
        name, query = self._where()
        if "partNumber" in query:
            self._do("part", lambda body: self._put_part(name, query, body))
        else:
            self._do("put", lambda body: self._put(name, body))

    def do_POST(self):
        name, query = self._where()
        if "uploads" in query:
            self._do("create", lambda _: self._create(name))
        elif "delete" in query:
            self._do("delete", lambda body: self._delete_several(name, body.decode()))
        else:
            self._do("complete", lambda _: self._complete(name, query["uploadId"]))

    def do_DELETE(self):
        name, query = self._where()
        if "uploadId" in query:
            self._do("abort", lambda _: self._abort(query["uploadId"]))
        else:
            self._do("delete", lambda _: self._reply(204, b"", gone=self.store.objects.pop(name, None) is None))

    def _abort(self, number):
        """The key is told as it is: one that ends in '/' is another."""
        name = urllib.parse.unquote(self.path.partition("?")[0]).lstrip("/")
        is_open = self.store.uploads.get(number, ("",))[0] == name
        if is_open:
            del self.store.uploads[number]
        self._reply(204, b"", gone=not is_open)

    def _put_part(self, name, query, body):
        upload = self.store.uploads.get(query["uploadId"])
        if upload is None or upload[0] != name:
            return self._error(404, "NoSuchUpload")
        upload[1][int(query["partNumber"])] = body
        return self._reply(200, b"", ETag=f'"{hashlib.md5(body).hexdigest()}"')

    def _create(self, name):
        number = f"upload-{self.store.counts['create']}"
        self.store.uploads[number] = name, {}
        self.store.begun[number] = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        self._xml(f"<InitiateMultipartUploadResult><UploadId>{number}</UploadId></InitiateMultipartUploadResult>")

    def _list_uploads(self, bucket, query):
        if not self.headers.get("Authorization", "").startswith("AWS4-HMAC-SHA256 Credential=AKIATHEKEY/"):
            return self._error(403, "AccessDenied")
        begin, behind = f"{bucket}/{query['prefix']}", (query.get("key-marker", ""), query.get("upload-id-marker", ""))
        found = sorted((name.partition("/")[2], number) for number, (name, _) in self.store.uploads.items()
                       if name.startswith(begin))
        found = [upload for upload in found if upload > behind]
        page = found[:self.store.uploads_of_page]
        items = "".join(f"<Upload><Key>{escape(key, QUOTES)}</Key><UploadId>{number}</UploadId>"
                        f"<Initiated>{self.store.begun[number]}</Initiated></Upload>" for key, number in page)
        rest = "<IsTruncated>false</IsTruncated>" if page == found else (
            "<IsTruncated>true</IsTruncated>" + "".join(
                f"<{tag}>{escape(text, QUOTES)}</{tag}>" for tag, text in zip(self.store.markers, page[-1])))
        return self._xml(f"<ListMultipartUploadsResult>{items}{rest}</ListMultipartUploadsResult>")

    def _complete(self, name, number):
        if self._fault and self._fault.kind == "wrong length":
            return self._xml("<Error><Code>InternalError</Code></Error>")  # as S3 does: 200, and yet an error
        upload = self.store.uploads.pop(number, None)
        if upload is None:
            return self._error(404, "NoSuchUpload")
        self.store.objects[name] = b"".join(upload[1][number] for number in sorted(upload[1]))
        return self._xml(f"<CompleteMultipartUploadResult><ETag>{escape(self.store.tag_of(name))}</ETag>"
                         "</CompleteMultipartUploadResult>")

    def _delete_several(self, bucket, wanted):
        keys = re.findall("<Key>(.*?)</Key>", wanted)
        for key in keys:
            self.store.objects.pop(f"{bucket}/{unescape(key)}", None)
        deleted = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
        self._xml(f"<DeleteResult>{deleted}</DeleteResult>")

    def _list(self, bucket, query):
        if self._fault and self._fault.kind == "wrong length":
            return self._xml("<ListBucketResult><Contents><Key>")
        first = int(query.get("continuation-token", 0))
        keys, has_more = self._page(bucket, query, first)
        items = "".join(self._item(bucket, key) for key in keys)
        token = f"<NextContinuationToken>{first + 3}</NextContinuationToken>" if has_more else ""
        return self._xml(f"<ListBucketResult><IsTruncated>{str(has_more).lower()}</IsTruncated>{items}{token}"
                         "</ListBucketResult>")

    def _item(self, bucket, key):
        if key.endswith("/"):
            return f"<CommonPrefixes><Prefix>{escape(key)}</Prefix></CommonPrefixes>"
        name = f"{bucket}/{key}"
        return (f"<Contents><Key>{escape(key)}</Key><Size>{len(self.store.objects[name])}</Size>"
                f"<LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>{escape(self.store.tag_of(name))}</ETag>"
                "</Contents>")


class S3StandIn(StoreStandIn):
    scheme = "s3"
    handler = _Handler

    def environment(self):
        return {"AWS_ENDPOINT_URL": self.url, "AWS_ALLOW_HTTP": "true", "AWS_ACCESS_KEY_ID": "AKIATHEKEY",
                "AWS_SECRET_ACCESS_KEY": "thesecretofthekey", "AWS_REGION": "us-east-1", "NO_PROXY": "127.0.0.1"}


class GoogleStandIn(StoreStandIn):
    """Its account is a file, which tells that no token is to be asked for."""

    scheme = "gs"
    handler = _Handler

    def environment(self):
        self._account = tempfile.NamedTemporaryFile("w", suffix=".json")
        json.dump({"type": "service_account", "disable_oauth": True, "client_email": "AKIATHEKEY",
                   "private_key": "thesecretofthekey", "private_key_id": "AKIATHEKEY"}, self._account)
        self._account.flush()
        return {"GOOGLE_SERVICE_ACCOUNT": self._account.name, "GOOGLE_BASE_URL": self.url, "NO_PROXY": "127.0.0.1"}

    def close(self):
        super().close()
        self._account.close()

"""Objects on stores: s3://, gs://, az:// and https:// as inputs and outputs. Bytes come by obstore, in ranges that are
read ahead on many connections, and go by uploads in parts that become visible at once, or not at all. What the package
reads and writes comes here by sources_of() and output_of() of _sources.py."""

from .store import SCHEMES, ObjectName, is_url

__all__ = ["SCHEMES", "ObjectName", "is_url"]

"""What other packages open: files that are open, and what fsspec opens, as inputs and outputs."""

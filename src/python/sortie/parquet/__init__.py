"""The format of Parquet, where pyarrow is not enough: footers, row groups whose bytes move, columns encoded by many
threads."""

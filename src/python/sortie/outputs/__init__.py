"""Tables that are written: one file, a folder of parts, hive-partitioned folders."""

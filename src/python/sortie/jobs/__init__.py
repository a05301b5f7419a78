"""Jobs on files of tables: sort_parquet(), sort_parquet_in_place(), merges, and the command sortie-parquet."""

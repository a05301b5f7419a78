"""Tables in memory and as streams: sort_table(), Sorter, group_table(), join_tables(), and what they return."""

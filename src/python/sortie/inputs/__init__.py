"""Files that are read as one table: which are meant, what their columns become, and their rows batch by batch."""

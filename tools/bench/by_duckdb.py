"""Joins and groups by DuckDB, for tools/bench/relations, which runs this with a Python that has duckdb:

    python tools/bench/by_duckdb.py STATEMENT FOLDER OUTPUT THREADS [MEMORY]
"""
import sys

READ = "read_csv('{folder}/{name}', delim='{separator}', header=false, quote='', escape='', columns={{'k': 'VARCHAR', 'v': '{kind}'}})"
LEFT = READ.replace("{name}", "left").replace("{separator}", " ").replace("{kind}", "VARCHAR")
RIGHT = LEFT.replace("/left", "/right")
AMOUNTS = READ.replace("{name}", "amounts").replace("{separator}", "\\t").replace("{kind}", "BIGINT")
STATEMENTS = {
    "join": (f"SELECT l.k, l.v, r.v FROM {LEFT} l JOIN {RIGHT} r ON l.k = r.k", " "),
    "ordered-join": (f"SELECT l.k, l.v, r.v FROM {LEFT} l JOIN {RIGHT} r ON l.k = r.k ORDER BY l.k", " "),
    "groups": (f"SELECT k, sum(v), count(*) FROM {AMOUNTS} GROUP BY k ORDER BY k", "\\t"),
}


def main():
    import duckdb

    name, folder, output, threads, *memory = sys.argv[1:]
    connection = duckdb.connect(config={"threads": int(threads), "temp_directory": f"{folder}/duckdb", "preserve_insertion_order": False,
                                        **({"memory_limit": f"{memory[0]}B"} if memory else {})})
    select, separator = STATEMENTS[name]
    connection.execute(f"COPY ({select}) TO '{{output}}' (FORMAT csv, DELIMITER '{separator}', HEADER false)".format(
        folder=folder, output=output))


if __name__ == "__main__":
    main()

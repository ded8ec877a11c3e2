import sys

import duckdb

database = duckdb.connect()
database.sql("SET sqlite_all_varchar = true")
database.sql(f"ATTACH '{sys.argv[1]}' AS store (TYPE sqlite, READ_ONLY)")
database.sql("USE store")
query = """
    SELECT year(creationDate::TIMESTAMP) AS year, count(*), max(price::DECIMAL(38, 18))
    FROM MTNote GROUP BY year ORDER BY year
"""
for row in database.sql(query).fetchall():
    print(*row)

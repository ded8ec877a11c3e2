import sqlite3
import sys

import pandas

store = sqlite3.connect(sys.argv[1])
notes = pandas.read_sql(
    "SELECT * FROM MTNote", store, index_col="id", parse_dates=["creationDate"]
)
print(notes.creationDate.dt.year.value_counts().sort_index().to_dict())
top = notes.nlargest(2, "price_number")
print(top[["price", "creationDate"]].to_string(index=False))

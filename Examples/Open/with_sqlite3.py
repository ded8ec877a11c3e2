import datetime
import decimal
import sqlite3
import sys

store = sqlite3.connect(sys.argv[1])
store.row_factory = sqlite3.Row
for note in store.execute("SELECT * FROM MTNote ORDER BY price_number DESC LIMIT 2"):
    created = datetime.datetime.fromisoformat(note["creationDate"])
    print(note["title"], decimal.Decimal(note["price"]), created.date())

"""Reads all rows, and all that they lead to, with the classes for SQLAlchemy in folders.

The arguments are stores, and the folders of their classes, by turns. Prints for each store its name,
the number of rows, and the number of rows that relationships led to.
"""

import importlib.util
import pathlib
import sys

from sqlalchemy import create_engine, func, select
from sqlalchemy.orm import Session


def read(store, folder):
    spec = importlib.util.spec_from_file_location("_store", f"{folder}/_store.py")
    sys.modules["_store"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    base, links = module.Base, 0
    with Session(create_engine(f"sqlite:///{store}")) as session:
        # Views, which have no class.
        rows = sum(
            session.scalar(select(func.count()).select_from(table))
            for table in base.metadata.tables.values()
            if table.info.get("is_view")
        )
        for mapper in base.registry.mappers:
            for row in session.scalars(select(mapper.class_)):
                rows += 1
                for link in mapper.relationships:
                    found = getattr(row, link.key)
                    links += len(found) if isinstance(found, list) else found is not None
    return rows, links


for store, folder in zip(sys.argv[1::2], sys.argv[2::2]):
    print(pathlib.Path(store).stem, *read(store, folder))

import sys

from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session

sys.path.insert(0, "models")
from _store import MTFolder  # noqa: E402

with Session(create_engine(f"sqlite:///{sys.argv[1]}")) as session:
    for folder in session.scalars(select(MTFolder)):
        print(folder.title, len(folder.notes))
        for note in folder.notes[:2]:
            print(" ", note.title, note.creationDate.date(), [tag.value for tag in note.tags])

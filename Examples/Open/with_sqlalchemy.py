import sys

from sqlalchemy import create_engine, select
from sqlalchemy.dialects.sqlite.base import ischema_names
from sqlalchemy.ext.automap import automap_base
from sqlalchemy.orm import Session
from sqlalchemy.types import NullType

ischema_names["ANY"] = NullType  # columns that hold values of several types

engine = create_engine(f"sqlite:///{sys.argv[1]}")
Base = automap_base()
Base.prepare(autoload_with=engine)
Folder, Note = Base.classes.MTFolder, Base.classes.MTNote

with Session(engine) as session:
    for folder in session.scalars(select(Folder)):
        notes = sorted(folder.mtnote_collection, key=lambda note: note.notes_position)
        print(folder.title, len(notes))
        for note in notes[:2]:
            print(" ", note.title, [tag.value for tag in note.mtnote_tags_collection])

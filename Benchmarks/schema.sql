-- What somebody who knows the archives would write: the store of every program but ours.
CREATE TABLE folder(
  id INTEGER PRIMARY KEY,
  name TEXT,
  unique_id TEXT NOT NULL,
  created_at REAL
);
CREATE TABLE note(
  id INTEGER PRIMARY KEY,
  folder_id INTEGER NOT NULL REFERENCES folder(id),
  position INTEGER,
  unique_id TEXT NOT NULL,
  title TEXT,
  body TEXT,
  amount REAL,
  is_editable INTEGER,
  rank INTEGER,
  created_at REAL,
  tags TEXT,
  price TEXT,
  sync_id TEXT,
  link TEXT,
  attachment BLOB
);

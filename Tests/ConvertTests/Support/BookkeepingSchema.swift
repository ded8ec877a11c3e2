/// The part of the schema that all stores have.
enum BookkeepingSchema {
  static let tables = """
    CREATE TABLE _run (
      id INTEGER PRIMARY KEY NOT NULL,
      mapping TEXT,
      model_digest TEXT,
      options TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      first_archive INTEGER NOT NULL,
      last_archive INTEGER NOT NULL
    ) STRICT
    CREATE TABLE _report (
      run_id INTEGER PRIMARY KEY NOT NULL REFERENCES _run(id),
      report TEXT NOT NULL,
      report_sha256 TEXT,
      run_sha256 TEXT
    ) STRICT
    CREATE TABLE _archive (
      id INTEGER PRIMARY KEY NOT NULL,
      path TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      format TEXT NOT NULL,
      archiver TEXT NOT NULL,
      version INTEGER NOT NULL,
      converted TEXT NOT NULL
    ) STRICT
    CREATE TABLE _top (
      id INTEGER PRIMARY KEY NOT NULL,
      archive_id INTEGER NOT NULL REFERENCES _archive(id),
      "key" TEXT NOT NULL,
      value ANY,
      entity TEXT,
      "row" INTEGER
    ) STRICT
    CREATE TABLE _rows (
      id INTEGER PRIMARY KEY NOT NULL,
      archive_id INTEGER NOT NULL REFERENCES _archive(id),
      entity TEXT NOT NULL,
      "first" INTEGER NOT NULL,
      "last" INTEGER NOT NULL
    ) STRICT
    CREATE TABLE _class (
      id INTEGER PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      hierarchy TEXT NOT NULL,
      entity TEXT
    ) STRICT
    CREATE TABLE _collection (
      id INTEGER PRIMARY KEY NOT NULL,
      kind TEXT NOT NULL
    ) STRICT
    CREATE TABLE _collection_element (
      id INTEGER PRIMARY KEY NOT NULL,
      collection_id INTEGER NOT NULL REFERENCES _collection(id),
      position INTEGER,
      "key" ANY,
      key_id INTEGER,
      key_type TEXT,
      value ANY,
      value_id INTEGER,
      value_type TEXT
    ) STRICT

    """

  static let objectsTable = """
    CREATE TABLE _objects (
      id INTEGER PRIMARY KEY NOT NULL,
      archive_id INTEGER NOT NULL REFERENCES _archive(id),
      uid INTEGER NOT NULL,
      class TEXT NOT NULL,
      entity TEXT NOT NULL,
      "row" INTEGER NOT NULL,
      source_table TEXT,
      source_row INTEGER,
      source_column TEXT,
      key_path TEXT,
      "offset" INTEGER,
      length INTEGER
    ) STRICT

    """

  static let objectsIndex = """
    CREATE INDEX _objects_by_row ON _objects ("row", entity, archive_id)

    """

  static let indexes = """
    CREATE INDEX _collection_element_by_collection ON _collection_element (collection_id, position)

    """
}

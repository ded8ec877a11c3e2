// The limit of writing: rows that lie ready in memory, one prepared statement for each table, one
// transaction, the index at the end. No journal and no sync, unless "synced" is asked for.
//
//     insert-rows SCHEMA.sql ROWS STORE [synced]
//
// ROWS is what make-notes writes: for each row the number of its table and its values, each a kind
// and a payload in the order of the machine's bytes.

#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { kind_null, kind_integer, kind_real, kind_text, kind_blob };

static const int widths[] = {4, 15};

static void fail(const char *what) {
  fprintf(stderr, "insert-rows: %s\n", what);
  exit(1);
}

static void run(sqlite3 *database, const char *sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sqlite3_errmsg(database));
}

static const uint8_t *map(const char *path, size_t *size) {
  int descriptor = open(path, O_RDONLY);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) fail(path);
  *size = (size_t)status.st_size;
  void *bytes = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (bytes == MAP_FAILED) fail(path);
  return bytes;
}

static const uint8_t *bind(sqlite3_stmt *statement, int parameter, const uint8_t *place) {
  int64_t integer;
  double real;
  uint32_t count;
  uint8_t kind = *place++;
  switch (kind) {
    case kind_null: sqlite3_bind_null(statement, parameter); return place;
    case kind_integer:
      memcpy(&integer, place, 8);
      sqlite3_bind_int64(statement, parameter, integer);
      return place + 8;
    case kind_real:
      memcpy(&real, place, 8);
      sqlite3_bind_double(statement, parameter, real);
      return place + 8;
    default:
      memcpy(&count, place, 4);
      place += 4;
      if (kind == kind_text) {
        sqlite3_bind_text(statement, parameter, (const char *)place, (int)count, SQLITE_STATIC);
      } else {
        sqlite3_bind_blob(statement, parameter, place, (int)count, SQLITE_STATIC);
      }
      return place + count;
  }
}

int main(int count, char **arguments) {
  if (count < 4) fail("usage: insert-rows SCHEMA.sql ROWS STORE [synced]");
  size_t schema_size, size;
  const char *schema = (const char *)map(arguments[1], &schema_size);
  const uint8_t *place = map(arguments[2], &size), *end = place + size;
  unlink(arguments[3]);

  sqlite3 *database;
  if (sqlite3_open(arguments[3], &database) != SQLITE_OK) fail(arguments[3]);
  run(database, count > 4 ? "PRAGMA synchronous = FULL"
                          : "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  char *sql = strndup(schema, schema_size);
  run(database, sql);
  run(database, "BEGIN");
  sqlite3_stmt *statements[2];
  if (sqlite3_prepare_v2(database, "INSERT INTO folder VALUES (?, ?, ?, ?)", -1, &statements[0],
                         NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(
          database, "INSERT INTO note VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1,
          &statements[1], NULL) != SQLITE_OK) {
    fail(sqlite3_errmsg(database));
  }
  while (place < end) {
    uint8_t table = *place++;
    sqlite3_stmt *statement = statements[table];
    for (int column = 1; column <= widths[table]; column++) place = bind(statement, column, place);
    if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_errmsg(database));
    sqlite3_reset(statement);
  }
  run(database, "CREATE INDEX note_folder ON note(folder_id)");
  run(database, "COMMIT");
  sqlite3_finalize(statements[0]);
  sqlite3_finalize(statements[1]);
  sqlite3_close(database);
  free(sql);
  return 0;
}

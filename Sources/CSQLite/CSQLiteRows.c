// Rows in memory as a table: an eponymous virtual table, see https://www.sqlite.org/vtab.html.

#include "CSQLite.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What the table shows: set before a statement runs, and empty otherwise.
struct csq_rows {
  int column_count;
  const csq_cell *const *rows;
  int count;
};

typedef struct row_table {
  sqlite3_vtab base;
  csq_rows *source;
} row_table;

typedef struct row_cursor {
  sqlite3_vtab_cursor base;
  csq_rows *source;
  int place;
} row_cursor;

static int connect(sqlite3 *database, void *source, int argument_count,
                   const char *const *arguments, sqlite3_vtab **out, char **error) {
  (void)argument_count, (void)arguments, (void)error;
  int column_count = ((csq_rows *)source)->column_count;
  // "c" and up to ten digits, and a comma.
  size_t size = 32 + 12 * (size_t)column_count;
  char *declaration = malloc(size);
  row_table *table = calloc(1, sizeof *table);
  if (declaration == NULL || table == NULL) {
    free(declaration);
    free(table);
    return SQLITE_NOMEM;
  }
  size_t used = (size_t)snprintf(declaration, size, "CREATE TABLE rows(");
  for (int i = 0; i < column_count; i++) {
    used += (size_t)snprintf(declaration + used, size - used, i == 0 ? "c%d" : ",c%d", i);
  }
  snprintf(declaration + used, size - used, ")");
  int code = sqlite3_declare_vtab(database, declaration);
  free(declaration);
  if (code != SQLITE_OK) {
    free(table);
    return code;
  }
  table->source = source;
  *out = &table->base;
  return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *table) {
  free(table);
  return SQLITE_OK;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  info->estimatedCost = 1;
  return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **out) {
  row_cursor *cursor = calloc(1, sizeof *cursor);
  if (cursor == NULL) return SQLITE_NOMEM;
  cursor->source = ((row_table *)table)->source;
  *out = &cursor->base;
  return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor) {
  free(cursor);
  return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *cursor, int plan, const char *plan_text, int argument_count,
                  sqlite3_value **arguments) {
  (void)plan, (void)plan_text, (void)argument_count, (void)arguments;
  ((row_cursor *)cursor)->place = 0;
  return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor) {
  ((row_cursor *)cursor)->place++;
  return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *cursor) {
  return ((row_cursor *)cursor)->place >= ((row_cursor *)cursor)->source->count;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number) {
  const row_cursor *cursor = (const row_cursor *)base;
  const csq_cell *cell = &cursor->source->rows[cursor->place][number];
  switch (cell->kind) {
    case csq_kind_null: break;
    case csq_kind_integer: sqlite3_result_int64(context, cell->integer); break;
    case csq_kind_real: sqlite3_result_double(context, cell->real); break;
    case csq_kind_text:
      sqlite3_result_text64(context, cell->count > 0 ? cell->bytes : "", cell->count,
                            SQLITE_STATIC, SQLITE_UTF8);
      break;
    case csq_kind_blob:
      if (cell->count == 0) {
        sqlite3_result_zeroblob(context, 0);
      } else {
        sqlite3_result_blob64(context, cell->bytes, cell->count, SQLITE_STATIC);
      }
      break;
  }
  return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out) {
  *out = ((row_cursor *)cursor)->place;
  return SQLITE_OK;
}

static const sqlite3_module rows_module = {
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = is_at_end,
    .xColumn = column,
    .xRowid = row_id,
};

int csq_add_rows(csq_database *database, int column_count, csq_rows **out) {
  csq_rows *source = calloc(1, sizeof *source);
  if (source == NULL) return SQLITE_NOMEM;
  source->column_count = column_count;
  *out = source;
  // The connection owns the source from here on, and frees it even if this fails.
  return sqlite3_create_module_v2((sqlite3 *)database, CSQ_ROWS, &rows_module, source, free);
}

int csq_run_rows(csq_statement *statement, csq_rows *source, const csq_cell *const *rows,
                 int count) {
  source->rows = rows;
  source->count = count;
  int code = csq_run(statement, NULL, 0);
  source->count = 0;
  return code;
}

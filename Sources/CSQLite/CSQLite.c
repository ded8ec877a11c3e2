#include "CSQLite.h"

#include <sqlite3.h>
#include <stdlib.h>

static sqlite3 *db(csq_database *database) { return (sqlite3 *)database; }
static sqlite3_stmt *stmt(csq_statement *statement) { return (sqlite3_stmt *)statement; }

static int open_database(const char *path, int flags, csq_database **out) {
  sqlite3 *handle = NULL;
  int code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, NULL);
  if (handle != NULL) {
    sqlite3_extended_result_codes(handle, 1);
    // A database may come from anywhere: nothing that its schema says is to act by itself.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    if (flags & SQLITE_OPEN_READONLY) {
      sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    }
  }
  *out = (csq_database *)handle;
  return code;
}

void csq_tolerate_damage(csq_database *database) {
  sqlite3_db_config((sqlite3 *)database, SQLITE_DBCONFIG_DEFENSIVE, 0, (int *)NULL);
  // A file with fewer pages than its header says is refused otherwise.
  sqlite3_db_config((sqlite3 *)database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, (int *)NULL);
}

int csq_open(const char *uri, int read_only, csq_database **out) {
  int flags = read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  return open_database(uri, flags | SQLITE_OPEN_URI, out);
}

void csq_close(csq_database *database) { sqlite3_close_v2(db(database)); }

int csq_execute(csq_database *database, const char *sql) {
  return sqlite3_exec(db(database), sql, NULL, NULL, NULL);
}

int csq_prepare(csq_database *database, const char *sql, csq_statement **out) {
  sqlite3_stmt *handle = NULL;
  int code = sqlite3_prepare_v3(db(database), sql, -1, SQLITE_PREPARE_PERSISTENT, &handle, NULL);
  *out = (csq_statement *)handle;
  return code;
}

void csq_finalize(csq_statement *statement) { sqlite3_finalize(stmt(statement)); }

/// Runs a statement that gives no rows of interest, and resets it.
static int run_once(sqlite3_stmt *handle) {
  int code = sqlite3_step(handle);
  int reset = sqlite3_reset(handle);
  return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : reset != SQLITE_OK ? reset : code;
}

int csq_run(csq_statement *statement, const csq_cell *cells, int count) {
  sqlite3_stmt *handle = stmt(statement);
  int code = SQLITE_OK;
  for (int i = 0; i < count && code == SQLITE_OK; i++) {
    const csq_cell *cell = &cells[i];
    switch (cell->kind) {
      case csq_kind_null: code = sqlite3_bind_null(handle, i + 1); break;
      case csq_kind_integer: code = sqlite3_bind_int64(handle, i + 1, cell->integer); break;
      case csq_kind_real: code = sqlite3_bind_double(handle, i + 1, cell->real); break;
      case csq_kind_text:
        code = sqlite3_bind_text64(handle, i + 1, cell->count > 0 ? cell->bytes : "", cell->count,
                                   SQLITE_STATIC, SQLITE_UTF8);
        break;
      case csq_kind_blob:
        code = cell->count == 0
                   ? sqlite3_bind_zeroblob(handle, i + 1, 0)
                   : sqlite3_bind_blob64(handle, i + 1, cell->bytes, cell->count, SQLITE_STATIC);
        break;
    }
  }
  if (code != SQLITE_OK) return code;
  return run_once(handle);
}

int csq_bind(csq_statement *statement, int parameter, csq_value value) {
  sqlite3_stmt *handle = stmt(statement);
  switch (value.kind) {
    case csq_kind_null: return sqlite3_bind_null(handle, parameter);
    case csq_kind_integer: return sqlite3_bind_int64(handle, parameter, value.integer);
    case csq_kind_real: return sqlite3_bind_double(handle, parameter, value.real);
    case csq_kind_text:
      return sqlite3_bind_text64(handle, parameter, value.bytes != NULL ? value.bytes : "",
                                 value.count, SQLITE_TRANSIENT, SQLITE_UTF8);
    case csq_kind_blob:
      if (value.count == 0) return sqlite3_bind_zeroblob(handle, parameter, 0);
      return sqlite3_bind_blob64(handle, parameter, value.bytes, value.count, SQLITE_TRANSIENT);
  }
  return SQLITE_MISUSE;
}

int csq_step(csq_statement *statement) {
  int code = sqlite3_step(stmt(statement));
  return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : -code;
}

int csq_reset(csq_statement *statement) { return sqlite3_reset(stmt(statement)); }

int csq_column_count(csq_statement *statement) { return sqlite3_column_count(stmt(statement)); }

const char *csq_column_name(csq_statement *statement, int column) {
  return sqlite3_column_name(stmt(statement), column);
}

// Of a connection that one thread has at a time, values need no protection by a mutex: so they are
// taken straight, without a call for the errors that each part of them could have had.
static csq_value taken(sqlite3_value *column) {
  csq_value value = {.kind = csq_kind_null};
  switch (sqlite3_value_type(column)) {
    case SQLITE_INTEGER:
      value.kind = csq_kind_integer;
      value.integer = sqlite3_value_int64(column);
      break;
    case SQLITE_FLOAT:
      value.kind = csq_kind_real;
      value.real = sqlite3_value_double(column);
      break;
    case SQLITE_TEXT:
      value.kind = csq_kind_text;
      value.bytes = sqlite3_value_text(column);
      value.count = (size_t)sqlite3_value_bytes(column);
      break;
    case SQLITE_BLOB:
      value.kind = csq_kind_blob;
      value.bytes = sqlite3_value_blob(column);
      value.count = (size_t)sqlite3_value_bytes(column);
      break;
    default: break;
  }
  return value;
}

// SQLite ends a text with a zero byte, and fills out a blob of zeros, when it is asked for.
static int is_missing(const csq_value *value) {
  return value->bytes == NULL &&
         (value->kind == csq_kind_text || (value->kind == csq_kind_blob && value->count > 0));
}

int csq_row(csq_statement *statement, csq_value *values, int count) {
  int missing = 0;
  for (int i = 0; i < count; i++) {
    values[i] = taken(sqlite3_column_value(stmt(statement), i));
    missing |= is_missing(&values[i]);
  }
  return missing ? SQLITE_NOMEM : SQLITE_OK;
}

typedef struct added_function {
  csq_function *function;
  void *context;
} added_function;

static void call(sqlite3_context *context, int count, sqlite3_value **arguments) {
  const added_function *added = sqlite3_user_data(context);
  csq_value values[CSQ_MOST_ARGUMENTS];
  for (int i = 0; i < count; i++) {
    values[i] = taken(arguments[i]);
    if (is_missing(&values[i])) {
      sqlite3_result_error_nomem(context);
      return;
    }
  }
  added->function(added->context, (csq_call *)context, values);
}

int csq_add_function(csq_database *database, const char *name, int argument_count,
                     csq_function *function, void *context) {
  if (argument_count < 0 || argument_count > CSQ_MOST_ARGUMENTS) return SQLITE_MISUSE;
  added_function *added = malloc(sizeof *added);
  if (added == NULL) return SQLITE_NOMEM;
  *added = (added_function){function, context};
  // No schema is to call it. The connection owns it from here on, and frees it even if this fails.
  return sqlite3_create_function_v2(db(database), name, argument_count,
                                    SQLITE_UTF8 | SQLITE_DIRECTONLY, added, call, NULL, NULL, free);
}

void csq_return(csq_call *call, csq_value value) {
  sqlite3_context *context = (sqlite3_context *)call;
  switch (value.kind) {
    case csq_kind_null: sqlite3_result_null(context); break;
    case csq_kind_integer: sqlite3_result_int64(context, value.integer); break;
    case csq_kind_real: sqlite3_result_double(context, value.real); break;
    case csq_kind_text:
      sqlite3_result_text64(context, value.bytes != NULL ? value.bytes : "", value.count,
                            SQLITE_TRANSIENT, SQLITE_UTF8);
      break;
    case csq_kind_blob:
      if (value.count == 0) {
        sqlite3_result_zeroblob(context, 0);
      } else {
        sqlite3_result_blob64(context, value.bytes, value.count, SQLITE_TRANSIENT);
      }
      break;
  }
}

int csq_disk_failure(csq_database *database) {
  int failure = 0;
  sqlite3_file_control(db(database), "main", SQLITE_FCNTL_LAST_ERRNO, &failure);
  return failure;
}

int csq_open_failure(csq_database *database) {
  int code = sqlite3_errcode(db(database)) & 0xff;
  return code == SQLITE_CANTOPEN ? sqlite3_system_errno(db(database)) : 0;
}

int csq_is_repetition(csq_database *database) {
  return sqlite3_extended_errcode(db(database)) == SQLITE_CONSTRAINT_UNIQUE;
}

int csq_is_damage(csq_database *database) {
  int code = sqlite3_errcode(db(database)) & 0xff;
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR;
}

const char *csq_message(csq_database *database) { return sqlite3_errmsg(db(database)); }

int csq_is_keyword(const char *word, int count) { return sqlite3_keyword_check(word, count); }

const char *csq_version(void) { return sqlite3_libversion(); }

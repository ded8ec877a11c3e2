// Rows copied out of statements in blocks: one call for many rows.

#include "CSQLite.h"

#include <sqlite3.h>
#include <string.h>

// A connection that one thread has at a time needs no protection of its values by a mutex. A text of a
// UTF-8 database is taken as it lies: asked for as a text, SQLite would copy it to end it with a zero.
static size_t byte_count(sqlite3_value *value, int type) {
  return type == SQLITE_TEXT || type == SQLITE_BLOB ? (size_t)sqlite3_value_bytes(value) : 0;
}

static int copy_row(sqlite3_stmt *statement, csq_block *block) {
  int columns = block->column_count;
  csq_cell *cells = block->cells + (size_t)block->row_count * (size_t)columns;
  size_t used = block->byte_count;
  for (int i = 0; i < columns; i++) {
    sqlite3_value *value = sqlite3_column_value(statement, i);
    csq_cell *cell = &cells[i];
    int type = sqlite3_value_type(value);
    cell->count = 0;
    switch (type) {
      case SQLITE_INTEGER:
        cell->kind = csq_kind_integer;
        cell->integer = sqlite3_value_int64(value);
        break;
      case SQLITE_FLOAT:
        cell->kind = csq_kind_real;
        cell->real = sqlite3_value_double(value);
        break;
      case SQLITE_NULL:
        cell->kind = csq_kind_null;
        cell->integer = 0;
        break;
      default: {
        size_t size = byte_count(value, type);
        // What follows does not fit either: only the size of the whole row counts then.
        if (size > block->byte_capacity - used) {
          size_t needed = used - block->byte_count + size;
          for (int j = i + 1; j < columns; j++) {
            sqlite3_value *next = sqlite3_column_value(statement, j);
            needed += byte_count(next, sqlite3_value_type(next));
          }
          block->needed = needed;
          return csq_fill_waiting;
        }
        cell->kind = type == SQLITE_TEXT ? csq_kind_text : csq_kind_blob;
        cell->count = (uint32_t)size;
        cell->bytes = block->bytes + used;
        if (size > 0) {
          const void *bytes = sqlite3_value_blob(value);
          if (bytes == NULL) return -SQLITE_NOMEM;
          memcpy(block->bytes + used, bytes, size);
        }
        used += size;
      }
    }
  }
  block->byte_count = used;
  block->row_count += 1;
  return csq_fill_full;
}

int csq_fill(csq_statement *statement, csq_block *block, int is_waiting) {
  sqlite3_stmt *handle = (sqlite3_stmt *)statement;
  if (sqlite3_column_count(handle) < block->column_count) return -SQLITE_MISUSE;
  while (block->row_count < block->row_capacity) {
    if (!is_waiting) {
      int code = sqlite3_step(handle);
      if (code == SQLITE_DONE) return csq_fill_end;
      if (code != SQLITE_ROW) return -code;
    }
    is_waiting = 0;
    int result = copy_row(handle, block);
    if (result != csq_fill_full) return result;
  }
  return csq_fill_full;
}

void csq_limit_values(csq_database *database, int byte_count) {
  sqlite3_limit((sqlite3 *)database, SQLITE_LIMIT_LENGTH, byte_count);
}

int csq_read_large(csq_database *database, const char *table, const char *column, int64_t row,
                   void *bytes, size_t *size) {
  sqlite3_blob *blob = NULL;
  int code = sqlite3_blob_open((sqlite3 *)database, "main", table, column, row, 0, &blob);
  if (code != SQLITE_OK) return code;
  size_t found = (size_t)sqlite3_blob_bytes(blob);
  if (*size == 0) {
    *size = found;
  } else if (found != *size) {
    code = SQLITE_CORRUPT;
  } else {
    // In parts: each page is read into the cache, and from there into place.
    for (size_t done = 0; done < found && code == SQLITE_OK;) {
      size_t part = found - done < (1 << 20) ? found - done : (1 << 20);
      code = sqlite3_blob_read(blob, (char *)bytes + done, (int)part, (int)done);
      done += part;
    }
  }
  sqlite3_blob_close(blob);
  return code;
}

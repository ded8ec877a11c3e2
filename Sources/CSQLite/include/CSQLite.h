// The few calls of SQLite that the project needs, behind opaque handles.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct csq_database csq_database;
typedef struct csq_statement csq_statement;
typedef struct csq_rows csq_rows;

/// The kind of a value that is bound to a statement or read from a row.
typedef enum csq_kind : uint8_t {
  csq_kind_null = 0,
  csq_kind_integer,
  csq_kind_real,
  csq_kind_text,
  csq_kind_blob,
} csq_kind;

/// A value to bind, or of a row that was read.
typedef struct csq_value {
  csq_kind kind;
  int64_t integer;
  double real;
  const void *_Nullable bytes;
  size_t count;
} csq_value;

/// A value of a row that waits to be inserted, in 16 bytes. The bytes of texts and blobs must stay
/// valid until then: nothing is copied before SQLite copies it into its page. A count as large as
/// it can be stands for any that is larger; SQLite takes neither.
typedef struct csq_cell {
  union {
    int64_t integer;
    double real;
    const void *_Nullable bytes;
  };
  uint32_t count;
  csq_kind kind;
} csq_cell;

/// Opens a database, for reading and writing or for reading only: the file that a URI names. It must
/// exist; an empty one is an empty database. Returns SQLite's result code; the handle is set in any
/// case but exhausted memory and must be closed.
int csq_open(const char *_Nonnull uri, int read_only, csq_database *_Nullable *_Nonnull out);
void csq_close(csq_database *_Nullable database);

/// Runs one or more statements that return no rows.
int csq_execute(csq_database *_Nonnull database, const char *_Nonnull sql);

int csq_prepare(csq_database *_Nonnull database, const char *_Nonnull sql,
                csq_statement *_Nullable *_Nonnull out);
void csq_finalize(csq_statement *_Nullable statement);

/// Binds `count` values to the parameters 1 to `count`, runs the statement and resets it.
int csq_run(csq_statement *_Nonnull statement, const csq_cell *_Nullable cells, int count);

/// Gives statements of a connection a table of rows that lie in memory, under the name
/// `CSQ_ROWS`, with the columns c0, c1 and so on. A statement that inserts what it selects there runs
/// once for many rows: SQLite finds the end of a table once, not for each of them.
int csq_add_rows(csq_database *_Nonnull database, int column_count,
                 csq_rows *_Nullable *_Nonnull out);
#define CSQ_ROWS "\x01rows"

/// Runs a statement that selects from the table of rows, with `count` rows in it.
int csq_run_rows(csq_statement *_Nonnull statement, csq_rows *_Nonnull source,
                 const csq_cell *_Nonnull const *_Nonnull rows, int count);

/// A call of a function by a statement.
typedef struct csq_call csq_call;

/// A function that statements call: the bytes of its arguments stay valid until it returns. Its value
/// is what it gives to `csq_return` last, and null if it gives nothing.
typedef void csq_function(void *_Nullable context, csq_call *_Nonnull call,
                          const csq_value *_Nonnull arguments);

/// Gives the statements of a connection a function of `argument_count` arguments, at most
/// `CSQ_MOST_ARGUMENTS`. It is called with `context`, on the thread that runs the statement.
int csq_add_function(csq_database *_Nonnull database, const char *_Nonnull name,
                     int argument_count, csq_function *_Nonnull function, void *_Nullable context);
#define CSQ_MOST_ARGUMENTS 8

/// Sets the value of a call, copying text and blobs.
void csq_return(csq_call *_Nonnull call, csq_value value);

/// Binds one value to a parameter, copying text and blobs.
int csq_bind(csq_statement *_Nonnull statement, int parameter, csq_value value);

/// Steps to the next row. Returns 1 for a row, 0 at the end, and a negative SQLite result code
/// for an error.
int csq_step(csq_statement *_Nonnull statement);
int csq_reset(csq_statement *_Nonnull statement);
int csq_column_count(csq_statement *_Nonnull statement);
const char *_Nullable csq_column_name(csq_statement *_Nonnull statement, int column);

/// The values of the first `count` columns; their bytes are valid until the next step. Returns
/// SQLite's result code: where memory is exhausted, bytes are missing.
int csq_row(csq_statement *_Nonnull statement, csq_value *_Nonnull values, int count);

/// A block of rows that were copied out of a statement: cells row by row, and the bytes of their
/// texts and blobs one behind the other.
typedef struct csq_block {
  /// Room for `row_capacity` times `column_count` cells.
  csq_cell *_Nonnull cells;
  int column_count;
  int row_capacity;
  int row_count;
  /// Room for the bytes of texts and blobs.
  unsigned char *_Nullable bytes;
  size_t byte_capacity;
  size_t byte_count;
  /// How many bytes the row has that did not fit.
  size_t needed;
} csq_block;

typedef enum csq_fill_result : int {
  /// The statement has no more rows.
  csq_fill_end = 0,
  /// The block has as many rows as it has room for; the statement may have more.
  csq_fill_full,
  /// The bytes of the next row do not fit: the statement stands on it.
  csq_fill_waiting,
} csq_fill_result;

/// Adds rows of a statement to a block until one of the two ends. Texts are UTF-8, and not checked.
///
/// `is_waiting`: whether the statement stands on a row that did not fit before. Returns a
/// `csq_fill_result`, or a negative SQLite result code for an error.
int csq_fill(csq_statement *_Nonnull statement, csq_block *_Nonnull block, int is_waiting);

/// Reads a file that ends too early as far as it goes: for a connection that only reads, or to a private
/// copy.
void csq_tolerate_damage(csq_database *_Nonnull database);

/// Lets statements give no value of more bytes than this: a larger one is the error `CSQ_TOO_BIG`, and
/// takes no memory.
void csq_limit_values(csq_database *_Nonnull database, int byte_count);
#define CSQ_TOO_BIG 18

/// Reads a text or a blob of a table in parts, without holding it in memory. The first call, with
/// `size` 0, gives how many bytes it has. Returns SQLite's result code.
int csq_read_large(csq_database *_Nonnull database, const char *_Nonnull table,
                   const char *_Nonnull column, int64_t row, void *_Nullable bytes,
                   size_t *_Nonnull size);

/// Has the disk begin with what is in a file and not on its way yet, without waiting for it. It does
/// nothing where the system has no call for that.
void csq_begin_sync(int descriptor);

/// The number of the system's last error with the file of the database; 0 if there was none. A page
/// that the disk does not give is a damaged one to SQLite.
int csq_disk_failure(csq_database *_Nonnull database);

/// The number of the system's error for which a file could not be opened; 0 if the last error is
/// another.
int csq_open_failure(csq_database *_Nonnull database);

/// Whether the last error is that a row has the values of another where a unique index forbids it.
int csq_is_repetition(csq_database *_Nonnull database);

/// Whether the last error lies in what the file holds, not in that it could not be read.
int csq_is_damage(csq_database *_Nonnull database);

/// SQLite's words for the last error. They may hold names, never values.
const char *_Nonnull csq_message(csq_database *_Nonnull database);

/// Whether a word is a keyword of SQL, and so has to be quoted as a name.
int csq_is_keyword(const char *_Nonnull word, int count);

/// The version of the library, such as "3.40.1".
const char *_Nonnull csq_version(void);

#ifdef __cplusplus
}
#endif

#endif

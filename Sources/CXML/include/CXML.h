// A push parser for XML, on libxml2, behind an opaque handle.
//
// Of a property list it tells the elements by number, and no attributes; of any other document the
// names of elements with their attributes. It loads no external entity, no DTD and no network
// resource; a document that declares entities is refused.

#ifndef CXML_H
#define CXML_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The elements of a property list.
typedef enum cxml_element : uint8_t {
  cxml_element_unknown = 0,
  cxml_element_plist,
  cxml_element_dict,
  cxml_element_array,
  cxml_element_key,
  cxml_element_string,
  cxml_element_data,
  cxml_element_date,
  cxml_element_integer,
  cxml_element_real,
  cxml_element_true,
  cxml_element_false,
} cxml_element;

/// Where and why parsing ended.
typedef struct cxml_failure {
  /// libxml2's error code (`xmlParserErrors`), 0 if there was no error.
  int32_t code;
  /// The line and column, counted from 1.
  int64_t line;
  int64_t column;
} cxml_failure;

/// The receiver of the parser's events. Each returns 0 to go on and anything else to stop.
typedef struct cxml_handler {
  void *_Nullable context;
  int (*_Nonnull start)(void *_Nullable context, cxml_element element);
  int (*_Nonnull text)(void *_Nullable context, const uint8_t *_Nonnull bytes, size_t count);
  int (*_Nonnull end)(void *_Nullable context, cxml_element element);
} cxml_handler;

/// An attribute as an element has it: its name, which ends with a zero byte, and its value.
typedef struct cxml_attribute {
  const char *_Nonnull name;
  const uint8_t *_Nonnull value;
  size_t count;
} cxml_attribute;

/// The receiver of the events of any document. Names are in UTF-8, end with a zero byte, and have
/// their prefix.
typedef struct cxml_document_handler {
  void *_Nullable context;
  int (*_Nonnull start)(void *_Nullable context, const char *_Nonnull name,
                        const cxml_attribute *_Nullable attributes, size_t count);
  int (*_Nonnull text)(void *_Nullable context, const uint8_t *_Nonnull bytes, size_t count);
  int (*_Nonnull end)(void *_Nullable context, const char *_Nonnull name);
} cxml_document_handler;

typedef struct cxml_parser cxml_parser;

/// The codes of failures that libxml2 does not know or has several codes for, outside its range:
/// a declared entity, attributes in great number, an encoding that is unknown, a tag, a declaration
/// or an entity of more than 64 KiB, and exhausted memory.
static const int32_t cxml_failure_entity_declared = -1;
static const int32_t cxml_failure_too_many_attributes = -2;
static const int32_t cxml_failure_unknown_encoding = -3;
static const int32_t cxml_failure_long_markup = -4;
static const int32_t cxml_failure_out_of_memory = -5;

/// What a parser has begun to read of which more than 64 KiB are there, and not the end.
typedef enum cxml_construct : uint8_t {
  /// None, or something else.
  cxml_construct_other = 0,
  cxml_construct_comment,
  cxml_construct_instruction,
  cxml_construct_cdata,
  /// A start tag, of a document that is no property list: its values may be long.
  cxml_construct_start_tag,
} cxml_construct;

/// What there is of a start tag that a parser waits for the end of.
typedef struct cxml_open_tag {
  /// How many values of attributes have begun.
  size_t values;
  /// The quote that the last of them will end with; 0 if it has ended.
  uint8_t quote;
} cxml_open_tag;

/// Makes a parser of property lists, or returns null if memory is exhausted.
cxml_parser *_Nullable cxml_parser_create(cxml_handler handler);

/// Makes a parser of any documents, or returns null if memory is exhausted.
cxml_parser *_Nullable cxml_parser_create_for_document(cxml_document_handler handler);

/// Parses the next piece of the document. Returns 0 to go on, 1 if the receiver stopped the
/// parser, -1 if the document is not well formed or memory is exhausted.
int cxml_parser_feed(cxml_parser *_Nonnull parser, const uint8_t *_Nullable bytes, size_t count,
                     int is_last);

/// What long construct the parser waits for the end of. It looks through all of it again with each
/// piece, so it had better get the rest as one.
cxml_construct cxml_parser_construct(const cxml_parser *_Nonnull parser);

/// How far a long start tag has been read, once `cxml_parser_construct` has told of one.
///
/// Linear in what there is of it.
cxml_open_tag cxml_parser_open_tag(const cxml_parser *_Nonnull parser);

/// The line that the parser stands in, counted from 1.
int64_t cxml_parser_line(const cxml_parser *_Nonnull parser);

/// The first error of the document.
cxml_failure cxml_parser_failure(const cxml_parser *_Nonnull parser);

void cxml_parser_destroy(cxml_parser *_Nullable parser);

#ifdef __cplusplus
}
#endif

#endif

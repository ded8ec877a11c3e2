#include "CXML.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct cxml_parser {
  xmlParserCtxtPtr libxml;
  /// What is called of a property list, or of another document: of the other kind, nothing is set.
  cxml_handler handler;
  cxml_document_handler document_handler;
  cxml_failure failure;
  int stopped;
  /// How many attributes the DTD declares.
  int declarations;
};

static pthread_once_t libxml_initialised = PTHREAD_ONCE_INIT;

static void initialise_libxml(void) { xmlInitParser(); }

/// libxml2 prints some errors of encodings to standard error by itself, besides telling of them.
static void ignore_message(void *context, const char *message, ...) {
  (void)context, (void)message;
}

static cxml_element element_named(const xmlChar *name) {
  const char *text = (const char *)name;
  switch (text[0]) {
    case 'p': return strcmp(text, "plist") == 0 ? cxml_element_plist : cxml_element_unknown;
    case 'k': return strcmp(text, "key") == 0 ? cxml_element_key : cxml_element_unknown;
    case 's': return strcmp(text, "string") == 0 ? cxml_element_string : cxml_element_unknown;
    case 'i': return strcmp(text, "integer") == 0 ? cxml_element_integer : cxml_element_unknown;
    case 'r': return strcmp(text, "real") == 0 ? cxml_element_real : cxml_element_unknown;
    case 't': return strcmp(text, "true") == 0 ? cxml_element_true : cxml_element_unknown;
    case 'f': return strcmp(text, "false") == 0 ? cxml_element_false : cxml_element_unknown;
    case 'a': return strcmp(text, "array") == 0 ? cxml_element_array : cxml_element_unknown;
    case 'd':
      if (strcmp(text, "dict") == 0) return cxml_element_dict;
      if (strcmp(text, "data") == 0) return cxml_element_data;
      if (strcmp(text, "date") == 0) return cxml_element_date;
      return cxml_element_unknown;
    default: return cxml_element_unknown;
  }
}

static void stop(cxml_parser *parser) {
  parser->stopped = 1;
  xmlStopParser(parser->libxml);
}

static void fail(cxml_parser *parser, int32_t code) {
  if (parser->failure.code == 0) {
    parser->failure.code = code;
    parser->failure.line = cxml_parser_line(parser);
    parser->failure.column = parser->libxml->input ? parser->libxml->input->col : 0;
  }
  stop(parser);
}

// A property list has one attribute, the version. libxml2 compares each attribute of an element
// with all others, adds the defaulted ones to every element, and looks for the namespace of an
// element among all that are declared around it: more than a few would take time out of proportion.
enum { most_attributes = 8, most_declarations = 64, longest_tag = 1 << 16 };
// Elements of other documents have more.
enum { most_document_attributes = 64 };
// What a document type declares is of no use here, but is read in passing.
enum { longest_document_type = 1 << 22 };

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespace_count, const xmlChar **namespaces, int attribute_count,
                     int defaulted_count, const xmlChar **attributes) {
  (void)prefix, (void)uri, (void)namespaces, (void)defaulted_count, (void)attributes;
  cxml_parser *parser = context;
  if (parser->stopped) return;
  if (attribute_count > most_attributes || namespace_count > most_attributes) {
    fail(parser, cxml_failure_too_many_attributes);
    return;
  }
  if (parser->handler.start(parser->handler.context, element_named(name)) != 0) stop(parser);
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  (void)prefix, (void)uri;
  cxml_parser *parser = context;
  if (parser->stopped) return;
  if (parser->handler.end(parser->handler.context, element_named(name)) != 0) stop(parser);
}

static void on_text(void *context, const xmlChar *text, int count) {
  cxml_parser *parser = context;
  if (parser->stopped || count <= 0) return;
  if (parser->handler.text(parser->handler.context, text, (size_t)count) != 0) stop(parser);
}

// The same for documents that are no property lists.

/// A name with its prefix; null if memory is exhausted. What is not the name itself has to be freed.
static const xmlChar *qualified(const xmlChar *name, const xmlChar *prefix) {
  return prefix == NULL ? name : xmlBuildQName(name, prefix, NULL, 0);
}

static void release(const xmlChar *qualified_name, const xmlChar *name) {
  if (qualified_name != name) xmlFree((void *)qualified_name);
}

static void on_document_start(void *context, const xmlChar *name, const xmlChar *prefix,
                              const xmlChar *uri, int namespace_count, const xmlChar **namespaces,
                              int attribute_count, int defaulted_count,
                              const xmlChar **attributes) {
  (void)uri, (void)namespaces, (void)defaulted_count;
  cxml_parser *parser = context;
  if (parser->stopped) return;
  if (attribute_count > most_document_attributes || namespace_count > most_document_attributes) {
    fail(parser, cxml_failure_too_many_attributes);
    return;
  }
  cxml_attribute given[most_document_attributes];
  const xmlChar *names[most_document_attributes];
  const xmlChar *own = qualified(name, prefix);
  int is_complete = own != NULL;
  for (int i = 0; i < attribute_count; i++) {
    // libxml2 gives five pointers for each: name, prefix, namespace, and both ends of the value.
    const xmlChar **attribute = attributes + 5 * i;
    names[i] = qualified(attribute[0], attribute[1]);
    is_complete = is_complete && names[i] != NULL;
    given[i].name = (const char *)names[i];
    given[i].value = attribute[3];
    given[i].count = (size_t)(attribute[4] - attribute[3]);
  }
  if (!is_complete) {
    fail(parser, cxml_failure_out_of_memory);
  } else if (parser->document_handler.start(parser->document_handler.context, (const char *)own,
                                            given, (size_t)attribute_count) != 0) {
    stop(parser);
  }
  for (int i = 0; i < attribute_count; i++) release(names[i], attributes[5 * i]);
  release(own, name);
}

static void on_document_end(void *context, const xmlChar *name, const xmlChar *prefix,
                            const xmlChar *uri) {
  (void)uri;
  cxml_parser *parser = context;
  if (parser->stopped) return;
  const xmlChar *own = qualified(name, prefix);
  if (own == NULL) {
    fail(parser, cxml_failure_out_of_memory);
  } else if (parser->document_handler.end(parser->document_handler.context, (const char *)own) !=
             0) {
    stop(parser);
  }
  release(own, name);
}

static void on_document_text(void *context, const xmlChar *text, int count) {
  cxml_parser *parser = context;
  if (parser->stopped || count <= 0) return;
  if (parser->document_handler.text(parser->document_handler.context, text, (size_t)count) != 0) {
    stop(parser);
  }
}

static void on_entity_declaration(void *context, const xmlChar *name, int type,
                                  const xmlChar *public_id, const xmlChar *system_id,
                                  xmlChar *content) {
  (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
  fail(context, cxml_failure_entity_declared);
}

static void on_attribute_declaration(void *context, const xmlChar *element, const xmlChar *name,
                                     int type, int def, const xmlChar *default_value,
                                     xmlEnumerationPtr tree) {
  (void)element, (void)name, (void)type, (void)def, (void)default_value;
  xmlFreeEnumeration(tree);
  cxml_parser *parser = context;
  if (++parser->declarations > most_declarations) fail(parser, cxml_failure_too_many_attributes);
}

/// Knows the five predefined entities and no other.
static xmlEntityPtr find_entity(void *context, const xmlChar *name) {
  (void)context;
  return xmlGetPredefinedEntity(name);
}

static void on_error(void *context, xmlErrorPtr error) {
  cxml_parser *parser = context;
  if (error == NULL || error->level < XML_ERR_ERROR || parser->failure.code != 0) return;
  // A relative namespace URI and the like are no concern of a property list.
  if (error->domain == XML_FROM_NAMESPACE) return;
  switch (error->code) {
    case XML_ERR_NO_MEMORY: parser->failure.code = cxml_failure_out_of_memory; break;
    case XML_ERR_UNKNOWN_ENCODING:
    case XML_ERR_UNSUPPORTED_ENCODING: parser->failure.code = cxml_failure_unknown_encoding; break;
    case 0: parser->failure.code = XML_ERR_INTERNAL_ERROR; break;
    default: parser->failure.code = error->code;
  }
  parser->failure.line = error->line > 0 ? error->line : 1;
  parser->failure.column = error->int2;
  // While the parser is made, there is none yet to ask.
  if (parser->failure.column <= 0 && parser->libxml != NULL && parser->libxml->input != NULL) {
    parser->failure.column = parser->libxml->input->col;
  }
}

/// Makes a parser that calls functions of a handler; those that all parsers have are added to it.
static cxml_parser *create(cxml_parser handlers, xmlSAXHandler sax, int options) {
  pthread_once(&libxml_initialised, initialise_libxml);
  // The function is one of the thread's own.
  xmlSetGenericErrorFunc(NULL, ignore_message);
  cxml_parser *parser = malloc(sizeof *parser);
  if (parser == NULL) return NULL;
  *parser = handlers;

  sax.initialized = XML_SAX2_MAGIC;
  sax.cdataBlock = sax.characters;
  sax.ignorableWhitespace = sax.characters;
  sax.entityDecl = on_entity_declaration;
  sax.attributeDecl = on_attribute_declaration;
  sax.getEntity = find_entity;
  sax.serror = on_error;

  parser->libxml = xmlCreatePushParserCtxt(&sax, parser, NULL, 0, NULL);
  if (parser->libxml == NULL) {
    free(parser);
    return NULL;
  }
  // HUGE lifts the limits on the size of a text, which a large data value exceeds. Depth and
  // entities, which it would lift too, are limited by the receiver and above.
  xmlCtxtUseOptions(parser->libxml,
                    XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_BIG_LINES | options);
  return parser;
}

cxml_parser *cxml_parser_create(cxml_handler handler) {
  return create((cxml_parser){.handler = handler},
                (xmlSAXHandler){
                    .startElementNs = on_start, .endElementNs = on_end, .characters = on_text},
                0);
}

cxml_parser *cxml_parser_create_for_document(cxml_document_handler handler) {
  // The five predefined entities are all that there are; without the option, those in the values of
  // attributes are told as references.
  return create((cxml_parser){.document_handler = handler},
                (xmlSAXHandler){
                    .startElementNs = on_document_start,
                    .endElementNs = on_document_end,
                    .characters = on_document_text},
                XML_PARSE_NOENT);
}

/// How many bytes libxml2 holds back until it has the end of what they belong to.
static ptrdiff_t pending(xmlParserCtxtPtr libxml) {
  return libxml->input != NULL ? libxml->input->end - libxml->input->cur : 0;
}

static int begins_with(xmlParserCtxtPtr libxml, const char *text) {
  size_t count = strlen(text);
  return pending(libxml) >= (ptrdiff_t)count && memcmp(libxml->input->cur, text, count) == 0;
}

/// Fails if a tag, a declaration or an entity goes on for long: libxml2 looks through all of it
/// again with each piece.
static void refuse_long_markup(cxml_parser *parser) {
  xmlParserCtxtPtr libxml = parser->libxml;
  if (pending(libxml) <= longest_tag || cxml_parser_construct(parser) != cxml_construct_other) return;
  if (libxml->instate == XML_PARSER_START_TAG) {
    fail(parser, cxml_failure_too_many_attributes);
  } else if (libxml->instate == XML_PARSER_DTD || begins_with(libxml, "<!DOCTYPE")) {
    if (pending(libxml) > longest_document_type) fail(parser, cxml_failure_long_markup);
  } else if (libxml->instate == XML_PARSER_END_TAG || begins_with(libxml, "&")) {
    fail(parser, cxml_failure_long_markup);
  }
}

cxml_open_tag cxml_parser_open_tag(const cxml_parser *parser) {
  xmlParserCtxtPtr libxml = parser->libxml;
  cxml_open_tag tag = {0, 0};
  if (libxml->input == NULL || libxml->instate != XML_PARSER_START_TAG) return tag;
  for (const xmlChar *byte = libxml->input->cur; byte < libxml->input->end; byte++) {
    if (tag.quote == 0 && (*byte == '"' || *byte == '\'')) {
      tag.quote = *byte;
      tag.values++;
    } else if (*byte == tag.quote) {
      tag.quote = 0;
    }
  }
  return tag;
}

cxml_construct cxml_parser_construct(const cxml_parser *parser) {
  xmlParserCtxtPtr libxml = parser->libxml;
  if (parser->stopped || pending(libxml) <= longest_tag) return cxml_construct_other;
  if (libxml->instate == XML_PARSER_CDATA_SECTION) return cxml_construct_cdata;
  if (libxml->instate == XML_PARSER_DTD) return cxml_construct_other;
  if (libxml->instate == XML_PARSER_START_TAG) {
    // A property list has no long tags. Elsewhere a value may be long, but there are few of them.
    if (parser->document_handler.start == NULL) return cxml_construct_other;
    size_t values = cxml_parser_open_tag(parser).values;
    return values <= most_document_attributes ? cxml_construct_start_tag : cxml_construct_other;
  }
  if (begins_with(libxml, "<!--")) return cxml_construct_comment;
  if (begins_with(libxml, "<?")) return cxml_construct_instruction;
  return cxml_construct_other;
}

int cxml_parser_feed(cxml_parser *parser, const uint8_t *bytes, size_t count, int is_last) {
  if (parser->stopped) return parser->failure.code != 0 ? -1 : 1;
  if (count > INT_MAX) return -1;
  int code = xmlParseChunk(parser->libxml, (const char *)bytes, (int)count, is_last);
  if (!parser->stopped && parser->failure.code == 0) refuse_long_markup(parser);
  if (parser->stopped) return parser->failure.code != 0 ? -1 : 1;
  if (parser->failure.code != 0) return -1;
  // A namespace complaint sets the code without making the document ill formed; so does a piece that
  // the encoding cannot express, of which the rest is lost, and, with a code of its own, one that
  // there is no memory for.
  if (code < 0 || code == XML_ERR_INVALID_ENCODING ||
      (code != 0 && !parser->libxml->wellFormed)) {
    parser->failure.code = code < 0 || code == XML_ERR_NO_MEMORY ? cxml_failure_out_of_memory : code;
    parser->failure.line = cxml_parser_line(parser);
    return -1;
  }
  return 0;
}

int64_t cxml_parser_line(const cxml_parser *parser) {
  return parser->libxml->input != NULL ? parser->libxml->input->line : 1;
}

cxml_failure cxml_parser_failure(const cxml_parser *parser) { return parser->failure; }

void cxml_parser_destroy(cxml_parser *parser) {
  if (parser == NULL) return;
  if (parser->libxml->myDoc != NULL) xmlFreeDoc(parser->libxml->myDoc);
  xmlFreeParserCtxt(parser->libxml);
  free(parser);
}

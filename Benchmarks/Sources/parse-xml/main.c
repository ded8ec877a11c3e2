// The limit of reading XML with libxml2: a SAX parse in chunks that counts elements and characters.
//
//     parse-xml LIST

#include <libxml/parser.h>
#include <stdio.h>

static long elements, characters;

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *uri, int namespace_count, const xmlChar **namespaces,
                          int attribute_count, int defaulted_count, const xmlChar **attributes) {
  elements++;
}

static void text(void *context, const xmlChar *bytes, int count) { characters += count; }

int main(int count, char **arguments) {
  static char buffer[1 << 16];
  FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
  if (file == NULL) return 1;
  xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC, .startElementNs = start_element,
                           .characters = text};
  int filled = (int)fread(buffer, 1, 4, file);
  xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, NULL, buffer, filled, NULL);
  xmlCtxtUseOptions(parser, XML_PARSE_HUGE | XML_PARSE_NONET);
  while ((filled = (int)fread(buffer, 1, sizeof buffer, file)) > 0) {
    if (xmlParseChunk(parser, buffer, filled, 0) != 0) return 1;
  }
  xmlParseChunk(parser, buffer, 0, 1);
  xmlFreeParserCtxt(parser);
  printf("%ld elements, %ld characters\n", elements, characters);
  return 0;
}

// Only CXML's C file includes libxml2. Swift must never import this module: libxml2's headers
// include ICU's, which clash with the copy that Foundation brings along.
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

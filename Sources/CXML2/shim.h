#include <libxml/xmlversion.h>
// The headers of ICU, which Swift's Foundation has in a version of its own, are not needed for what is used here.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
// Declares xmlSwitchEncoding.
#include <libxml/parserInternals.h>

// XXH3 itself, compiled here alone.
#define XXH_IMPLEMENTATION
#include "core/vocab/hash.h"

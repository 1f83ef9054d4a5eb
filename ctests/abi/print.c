/*
 * Prints every constant, size, offset and default of the C interface, one per line.
 */
#define BLOSC1_COMPAT

#include "b2nd.h"
#include "blosc2/codecs-registry.h"
#include "blosc2/filters-registry.h"
#include "blosc2/tuners-registry.h"

#include <stddef.h>
#include <stdio.h>

/* print_error() refers to it; this program is not linked to the library. */
const char *blosc2_error_string(int error_code) {
  return error_code == 0 ? "none" : "some";
}

#define CONSTANT(name) printf("%s = %lld\n", #name, (long long)(name));
#define TEXT(name) printf("%s = \"%s\"\n", #name, (name));
#define STRUCT(type) printf("sizeof(%s) = %lu\n", #type, (unsigned long)sizeof(type));
#define FIELD(type, field)                                                            \
  printf("%s.%s = %lu + %lu\n", #type, #field, (unsigned long)offsetof(type, field), \
         (unsigned long)sizeof(((type *)NULL)->field));
#define DEFAULT(name, field) printf("%s.%s = %lld\n", #name, #field, (long long)(intptr_t)name.field);

int main(void) {
#include "table.h"
  return 0;
}

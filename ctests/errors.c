/* Every error code has a text of its own; an unknown one has the text for unknown codes. */
#include "blosc2.h"
#include "check.h"

int main(void) {
  const char *unknown = blosc2_error_string(-1000);
  CHECK_TEXT(unknown, "Unknown error");
  CHECK_TEXT(blosc2_error_string(1), unknown);
  CHECK_TEXT(blosc2_error_string(BLOSC2_ERROR_LOCK - 1), unknown);

  CHECK_TEXT(blosc2_error_string(BLOSC2_ERROR_FAILURE), "Generic failure");
  CHECK_TEXT(blosc2_error_string(BLOSC2_ERROR_NULL_POINTER), "Pointer is null");
  for (int code = BLOSC2_ERROR_FAILURE; code >= BLOSC2_ERROR_LOCK; code--) {
    const char *text = blosc2_error_string(code);
    if (!CHECK(text != NULL && text[0] != '\0')) {
      continue;
    }
    CHECK(strcmp(text, unknown) != 0);
    CHECK_TEXT(print_error(code), text);
    for (int other = code + 1; other < 0; other++) {
      CHECK(strcmp(text, blosc2_error_string(other)) != 0);
    }
  }
  return check_report();
}

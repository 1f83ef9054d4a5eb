/* Both headers in two units of one program: they agree, and nothing is defined twice. */
#include "check.h"
#include "headers.h"

int main(void) {
  Seen a = seen_by_a(), b = seen_by_b();
  CHECK_EQ(a.schunk, b.schunk);
  CHECK_EQ(a.array, b.array);
  CHECK_EQ(a.cparams, b.cparams);
  CHECK_TEXT(a.error, b.error);
  return check_report();
}

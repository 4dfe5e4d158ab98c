#include "CFuzz.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

// Of libFuzzer and of AddressSanitizer, which the program is linked with: scripts/fuzz says how.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*read)(const uint8_t *, size_t));
int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
                                              void (*)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *);
void __sanitizer_print_stack_trace(void);

static int (*reader)(const uint8_t *, size_t);
static atomic_long in_use;
static atomic_long limit;  // 0 while no input is read

static void taken(const volatile void *memory, size_t size) {
  (void)memory;
  long now = atomic_fetch_add_explicit(&in_use, (long)size, memory_order_relaxed) + (long)size;
  long most = atomic_load_explicit(&limit, memory_order_relaxed);
  if (most == 0 || now <= most) return;
  atomic_store(&limit, 0);
  fprintf(
      stderr, "ERROR: more memory in use than an input of its length may take: %ld bytes\n", now);
  __sanitizer_print_stack_trace();
  abort();
}

static void given_back(const volatile void *memory) {
  if (memory)
    atomic_fetch_sub_explicit(&in_use, (long)__sanitizer_get_allocated_size(memory),
                              memory_order_relaxed);
}

static int watched(const uint8_t *input, size_t count) {
  long before = atomic_load(&in_use);
  atomic_store(&limit, before + (64L << 20) + 20 * (long)count);
  int result = reader(input, count);
  atomic_store(&limit, 0);
  return result;
}

int drawml_fuzz(int argc, char **argv, int (*read)(const uint8_t *, size_t)) {
  reader = read;
  __sanitizer_install_malloc_and_free_hooks(taken, given_back);
  return LLVMFuzzerRunDriver(&argc, &argv, watched);
}

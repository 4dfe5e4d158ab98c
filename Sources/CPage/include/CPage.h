#ifndef DRAWML_PAGE_H
#define DRAWML_PAGE_H

#include <stddef.h>
#include <stdint.h>

/// A file of the studio's page, embedded in the program.
typedef struct {
  const char *name;
  const uint8_t *bytes;
  size_t length;
} drawml_page_file;

/// All files of `Sources/Studio/Page`.
const drawml_page_file *drawml_page_files(void);
/// How many they are.
size_t drawml_page_file_count(void);

#endif

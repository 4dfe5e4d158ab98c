#ifndef DRAWML_PAGE_H
#define DRAWML_PAGE_H

#include <stddef.h>
#include <stdint.h>

/// A file of a page, embedded in the program.
typedef struct {
  const char *name;
  const uint8_t *bytes;
  size_t length;
} drawml_page_file;

/// All files of `Sources/Studio/Studio/Page`.
const drawml_page_file *drawml_page_files(void);
/// How many they are.
size_t drawml_page_file_count(void);

/// All files of `Sources/Toolkit/Interchange/Web/Page`; the page that `export web` writes has some of the
/// studio's, too.
const drawml_page_file *drawml_web_files(void);
/// How many they are.
size_t drawml_web_file_count(void);

#endif

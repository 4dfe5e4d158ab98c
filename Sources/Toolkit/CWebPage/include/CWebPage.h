#ifndef DRAWML_WEB_PAGE_H
#define DRAWML_WEB_PAGE_H

#include <stddef.h>
#include <stdint.h>

/// A file of a page, embedded in the program.
typedef struct {
  const char *name;
  const uint8_t *bytes;
  size_t length;
} drawml_page_file;

/// The files of `Interchange/Web/Page` that only the page of `export web` has.
const drawml_page_file *drawml_web_files(void);
/// How many they are.
size_t drawml_web_file_count(void);

/// The files of `Interchange/Web/Page` that the studio's page has, too; links to them lie in its
/// folder.
const drawml_page_file *drawml_shared_files(void);
/// How many they are.
size_t drawml_shared_file_count(void);

#endif

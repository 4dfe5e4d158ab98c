#ifndef DRAWML_PAGE_H
#define DRAWML_PAGE_H

#include "CWebPage.h"

/// The files of `Studio/Page` but those that `drawml_shared_files` has.
const drawml_page_file *drawml_page_files(void);
/// How many they are.
size_t drawml_page_file_count(void);

#endif

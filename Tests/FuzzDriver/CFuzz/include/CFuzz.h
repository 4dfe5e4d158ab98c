#pragma once
#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer (llvm.org/docs/LibFuzzer.html) with its own options; does not return while it
/// fuzzes.
///
/// `read` gets each input and returns 0. An input during which the memory in use grows by more than
/// 64 MiB and 20 bytes for each of its own ends the process as a crash does.
int drawml_fuzz(int argc, char **argv, int (*read)(const uint8_t *input, size_t count));

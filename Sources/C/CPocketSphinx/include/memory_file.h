// Files that the engine reads by name though they are in memory alone: a sandboxed worker can open none.
#pragma once
#include <stddef.h>

// Long enough for any name of vg_memory_file_name.
enum { vg_memory_file_name_length = 64 };

// Puts the bytes into a file in memory, positioned at its beginning. A descriptor for the caller to close, or negative.
int vg_memory_file(const void *bytes, size_t count);

// The name by which the engine opens the file of this descriptor, as long as that is open.
void vg_memory_file_name(int descriptor, char name[vg_memory_file_name_length]);

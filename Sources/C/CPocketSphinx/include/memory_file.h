// Files in memory that the engine can open by name: a confined worker cannot open any file.
#pragma once
#include <stddef.h>

// Long enough for any name of vg_memory_file_name.
enum { vg_memory_file_name_length = 64 };

// Writes the bytes to a file in memory and rewinds it. A descriptor for the caller to close, or negative.
int vg_memory_file(const void *bytes, size_t count);

// The name by which the engine opens the file of this descriptor, while it is open.
void vg_memory_file_name(int descriptor, char name[vg_memory_file_name_length]);

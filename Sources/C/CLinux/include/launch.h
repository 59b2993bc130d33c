#pragma once

#include <sys/types.h>

// Starts a program in a session of its own and in the folder, with the standard descriptors on /dev/null, no others, and
// default signals. 0, or an error number.
int vg_launch(const char *path, char *const arguments[], char *const environment[], const char *folder, pid_t *process);

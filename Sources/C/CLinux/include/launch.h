#pragma once

#include <sys/types.h>

// Starts a program in a session of its own: no descriptor of ours, standard ones on /dev/null, no signal blocked or
// ignored, in the folder. 0, or an error number.
int vg_launch(const char *path, char *const arguments[], char *const environment[], const char *folder, pid_t *process);

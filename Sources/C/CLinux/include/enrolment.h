// Locking in the process that learns a voice. It runs tools of the system on what it was given, so it may start programs
// and write files, but in one folder only, and it reaches nobody.
#pragma once
#include <sys/types.h>

// From now on and for all that it starts: files are read in the model's folder, programs and libraries in the system's,
// everything else in `work` alone. 0, or an errno (ENOSYS or EOPNOTSUPP: this kernel has no Landlock).
int vg_enrolment_confine_files(const char *model, const char *work);

// From now on, for all threads and all that it starts: no sockets, no look into other processes, no other namespaces.
// Connected descriptors still work. 0, or an errno.
int vg_enrolment_confine_calls(void);

// Bounds for it and each program that it starts: seconds of processor time, bytes of memory, bytes of a file. 0, or an
// errno.
int vg_enrolment_limit(unsigned seconds, unsigned long memory, unsigned long file);

// Runs a program to its end: without input and any descriptor, its output in a file. It ends with the thread that calls.
// 0 and the status of waitpid(2), or an errno.
int vg_enrolment_run(const char *path, char *const arguments[], const char *output, int *status);

// Whether files at this path are in memory alone (tmpfs or ramfs): 1, 0, or -1 with errno.
int vg_is_in_memory(const char *path);

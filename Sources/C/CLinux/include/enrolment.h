// Confining the process that learns a voice. It runs tools of the system, so it may start programs and write files in one
// folder, but it cannot communicate.
#pragma once
#include <sys/types.h>

// Permanently, also for child processes: reads files in the model's folder and the system's programs and libraries, and reads
// and writes in `work` alone. 0, or an errno (ENOSYS or EOPNOTSUPP: no Landlock).
int vg_enrolment_confine_files(const char *model, const char *work);

// Permanently, for all threads and child processes: no sockets, no access to other processes, no new namespaces. Connected
// descriptors still work. 0, or an errno.
int vg_enrolment_confine_calls(void);

// Limits for it and each child process: seconds of processor time, bytes of memory, bytes of a file. 0, or an errno.
int vg_enrolment_limit(unsigned seconds, unsigned long memory, unsigned long file);

// Runs a program to its end, without input, with its output in a file and no other descriptor. It ends with the calling
// thread. 0 and the status of waitpid(2), or an errno.
int vg_enrolment_run(const char *path, char *const arguments[], const char *output, int *status);

// Whether files at this path are in memory only (tmpfs or ramfs): 1, 0, or -1 with errno.
int vg_is_in_memory(const char *path);

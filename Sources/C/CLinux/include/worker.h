// Starting a worker process and locking it in: calls that are variadic, raw or behind macros.
#pragma once
#include <sys/types.h>

// Starts the program in a process group of its own with the socket as descriptor 3, the pipe as standard error,
// /dev/null as standard input and output, and no other descriptor. Returns 0 or an errno.
int vg_worker_spawn(const char *path, char *const arguments[], char *const environment[], int socket, int log,
                    pid_t *process);

// A descriptor that becomes readable when the process ends, or -1 with errno.
int vg_worker_pidfd(pid_t process);

// In the worker, first thing: ends with the parent's thread, no core dump, not traceable, no new privileges.
// Returns 0 or an errno.
int vg_worker_harden(void);

// In the worker, before the model is read: from now on files can be read in this folder
// only, and written nowhere. Returns 0, or an errno (ENOSYS or EOPNOTSUPP: this kernel has no Landlock).
int vg_worker_confine_files(const char *folder);

// In the worker, after the model was read: every system call that decoding does not need fails with EPERM, on all
// threads. No file can be opened, no socket made, no program started. Returns 0 or an errno.
int vg_worker_confine_calls(void);

// In the worker: whatever else wants a processor gets it first, on all threads that are started later. Returns 0 or an
// errno.
int vg_worker_give_way(void);

// Processors that this thread may run on, 1 or more.
int vg_worker_processors(void);

// An anonymous file in memory, or -1 with errno.
int vg_worker_memory_file(void);

// Starting and confining a worker process.
#pragma once
#include <sys/types.h>

// Starts the program in a process group of its own with the socket as descriptor 3, the pipe as standard error,
// /dev/null as standard input and output, and no other descriptor. Returns 0 or an errno.
int vg_worker_spawn(const char *path, char *const arguments[], char *const environment[], int socket, int log,
                    pid_t *process);

// In the worker, first: ends with the parent's thread, no core dump, not traceable, no new privileges. Returns 0 or an
// errno.
int vg_worker_harden(void);

// In the worker, before the model is read: permanently allows reading files in this folder only, and no writing. Returns 0,
// or an errno (ENOSYS or EOPNOTSUPP: no Landlock).
int vg_worker_confine_files(const char *folder);

// In the worker, after the model is read: every system call that decoding does not need fails with EPERM, on all threads.
// No file can be opened, no socket created, no program started. Returns 0 or an errno.
int vg_worker_confine_calls(void);

// In the worker: lowers the priority of this thread and of all threads that it starts later. Returns 0 or an errno.
int vg_worker_give_way(void);

// The number of processors that this thread may run on, at least 1.
int vg_worker_processors(void);

// An anonymous file in memory, or -1 with errno.
int vg_worker_memory_file(void);

// Starting a worker process, and what it needs of the system. Its confinement is in sandbox.h.
#pragma once
#include <sys/types.h>

// Starts the program in its own process group with the socket as descriptor 3, the pipe as standard error,
// /dev/null as standard input and output, and no other descriptor. Returns 0 or an errno.
int vg_worker_spawn(const char *path, char *const arguments[], char *const environment[], int socket, int log,
                    pid_t *process);

// In the worker: lowers the priority of this thread and of all threads that it starts later. Returns 0 or an errno.
int vg_worker_give_way(void);

// The number of processors that this thread may run on, at least 1.
int vg_worker_processors(void);

// An anonymous file in memory, or -1 with errno.
int vg_worker_memory_file(void);

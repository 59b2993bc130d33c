#define _GNU_SOURCE
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// Starts a program that the kernel ends before this one if memory runs out (proc(5), oom_score_adj). It inherits the score,
// so this process has that one for the moment: in the service's unit no other part of /proc can be written.
static int spawn_expendable(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                            const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
    static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
    char former[16] = "", raised[16];
    pthread_mutex_lock(&starting);
    int file = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : pread(file, former, sizeof former - 1, 0);
    if (length > 0) {
        int score = atoi(former) + 500;
        int size = snprintf(raised, sizeof raised, "%d", score < 1000 ? score : 1000);
        if (pwrite(file, raised, (size_t)size, 0) != size) length = 0;
    }
    int error = posix_spawn(process, path, actions, attributes, arguments, environment);
    // Down to the score that it had, for which no right is needed.
    if (length > 0) (void)pwrite(file, former, (size_t)length, 0);
    if (file >= 0) close(file);
    pthread_mutex_unlock(&starting);
    return error;
}

int vg_worker_spawn(const char *path, char *const arguments[], char *const environment[], int socket, int log,
                    pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    // Copies above 3, so that no action overwrites the source of a later one.
    int held_socket = fcntl(socket, F_DUPFD_CLOEXEC, 10);
    int held_log = fcntl(log, F_DUPFD_CLOEXEC, 10);
    if (held_socket < 0 || held_log < 0) error = errno;
    if (!error) error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!error) error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, held_log, 2);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, held_socket, 3);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, 4);
    if (!error) error = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
    // A separate group: Ctrl-C at the service's terminal must not reach the worker.
    if (!error) error = posix_spawnattr_setpgroup(&attributes, 0);
    if (!error)
        error = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    if (!error) error = spawn_expendable(process, path, &actions, &attributes, arguments, environment);
    if (held_socket >= 0) close(held_socket);
    if (held_log >= 0) close(held_log);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int vg_worker_give_way(void) {
    // A tenth of a live session's weight; with idle priority it could starve.
    return setpriority(PRIO_PROCESS, 0, 10) < 0 ? errno : 0;
}

int vg_worker_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) < 0) return 1;
    return CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
}

int vg_worker_memory_file(void) { return memfd_create("voicegate-audio", MFD_CLOEXEC); }

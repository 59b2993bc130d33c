// Sends requests over a Unix socket as fast as they are answered, on several connections, one thread per connection.
//
//   load SOCKET CONNECTIONS SECONDS echo       sends a request's bytes and waits for as many
//   load SOCKET CONNECTIONS SECONDS PATH       GET PATH, HTTP/1.1, kept alive; each answer must be a 200
//   load --serve SOCKET                        a bare echo server, a thread a connection: the floor
//   load --serve-checked SOCKET                an echo server with an event loop a processor, which before each answer asks the
//                                              kernel what the service asks about the caller: the floor of the same work
//
// Prints requests a second, and p50 and p99 in microseconds.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

_Noreturn static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int unix_socket(const char *path, struct sockaddr_un *address) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address->sun_path) {
        fprintf(stderr, "The path of the socket is too long.\n");
        exit(64);
    }
    strcpy(address->sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) fail("socket");
    return descriptor;
}

static void write_all(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written <= 0) fail("write");
        bytes += written;
        count -= (size_t)written;
    }
}

static void *echo(void *argument) {
    int connection = (int)(long)argument;
    char buffer[65536];
    ssize_t count;
    while ((count = read(connection, buffer, sizeof buffer)) > 0) write_all(connection, buffer, (size_t)count);
    close(connection);
    return NULL;
}

static int bound(const char *path) {
    struct sockaddr_un address;
    int listener = unix_socket(path, &address);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
    if (listen(listener, 64) != 0) fail("listen");
    puts("ready");
    fflush(stdout);
    return listener;
}

_Noreturn static void serve(const char *path) {
    int listener = bound(path);
    for (;;) {
        int connection = accept(listener, NULL, NULL);
        if (connection < 0) fail("accept");
        pthread_t thread;
        if (pthread_create(&thread, NULL, echo, (void *)(long)connection) != 0) fail("pthread_create");
        pthread_detach(thread);
    }
}

struct caller {
    int connection, process;
    // Of its program: by the kernel's link, and by the path that a manifest has.
    char link[32], program[4096];
};

static int changes;

// Its program is the same, it is alive, no manifest has changed, and its manifest's program is that file.
static void check(const struct caller *caller) {
    struct statx status;
    if (statx(AT_FDCWD, caller->link, AT_STATX_DONT_SYNC, STATX_BASIC_STATS, &status) != 0) fail("statx");
    struct pollfd process = {.fd = caller->process, .events = POLLIN};
    if (poll(&process, 1, 0) < 0) fail("poll");
    char events[4096];
    if (read(changes, events, sizeof events) > 0) fail("a change");
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_CACHED};
    int file = (int)syscall(SYS_openat2, AT_FDCWD, caller->program, &how, sizeof how);
    // Another change of the file system's names came in between (openat2(2)).
    if (file < 0 && errno == EAGAIN) file = open(caller->program, O_PATH | O_CLOEXEC);
    if (file < 0) fail(caller->program);
    if (statx(file, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, &status) != 0) fail("statx");
    close(file);
}

static void *answer(void *argument) {
    int loop = (int)(long)argument;
    char buffer[65536];
    for (;;) {
        struct epoll_event ready[64];
        int count = epoll_wait(loop, ready, 64, -1);
        for (int i = 0; i < count; i++) {
            struct caller *caller = ready[i].data.ptr;
            ssize_t size = read(caller->connection, buffer, sizeof buffer);
            if (size > 0) {
                check(caller);
                write_all(caller->connection, buffer, (size_t)size);
            } else {
                close(caller->connection);
                close(caller->process);
                free(caller);
            }
        }
    }
    return NULL;
}

_Noreturn static void serve_checked(const char *path) {
    int listener = bound(path), count = (int)sysconf(_SC_NPROCESSORS_ONLN), loops[count];
    changes = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (changes < 0) fail("inotify_init1");
    for (int i = 0; i < count; i++) {
        pthread_t thread;
        if ((loops[i] = epoll_create1(EPOLL_CLOEXEC)) < 0) fail("epoll_create1");
        if (pthread_create(&thread, NULL, answer, (void *)(long)loops[i]) != 0) fail("pthread_create");
    }
    for (int next = 0;; next = (next + 1) % count) {
        struct caller *caller = calloc(1, sizeof *caller);
        struct ucred peer;
        socklen_t size = sizeof peer;
        if (!caller || (caller->connection = accept(listener, NULL, NULL)) < 0) fail("accept");
        if (getsockopt(caller->connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) fail("getsockopt");
        caller->process = (int)syscall(SYS_pidfd_open, peer.pid, 0);
        snprintf(caller->link, sizeof caller->link, "/proc/%d/exe", peer.pid);
        if (caller->process < 0 || readlink(caller->link, caller->program, sizeof caller->program - 1) < 0) fail(caller->link);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = caller};
        if (epoll_ctl(loops[next], EPOLL_CTL_ADD, caller->connection, &event) != 0) fail("epoll_ctl");
    }
}

static char request[4096];
static size_t request_length;
static int is_echo;
static double seconds;
static const char *socket_path;

struct worker {
    pthread_t thread;
    // Microseconds of each request.
    float *times;
    size_t count, capacity;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// The length of head and body, once both are there; 0 until then.
static size_t answer_length(char *buffer, size_t filled) {
    buffer[filled] = 0;
    char *end = strstr(buffer, "\r\n\r\n");
    if (!end) return 0;
    if (strncmp(buffer, "HTTP/1.1 200", 12) != 0) {
        fprintf(stderr, "An answer is not 200: %.200s\n", buffer);
        exit(1);
    }
    char *length = strcasestr(buffer, "content-length:");
    if (!length || length > end) {
        fprintf(stderr, "An answer has no length.\n");
        exit(1);
    }
    size_t whole = (size_t)(end - buffer) + 4 + strtoul(length + 15, NULL, 10);
    return filled >= whole ? whole : 0;
}

static void *ask(void *argument) {
    struct worker *worker = argument;
    struct sockaddr_un address;
    int connection = unix_socket(socket_path, &address);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    char buffer[65537];
    double begin = now(), end = begin + seconds;
    do {
        write_all(connection, request, request_length);
        size_t filled = 0;
        for (;;) {
            ssize_t count = read(connection, buffer + filled, sizeof buffer - 1 - filled);
            if (count <= 0) fail("read");
            filled += (size_t)count;
            if (is_echo ? filled >= request_length : answer_length(buffer, filled)) break;
        }
        double done = now();
        if (worker->count == worker->capacity) {
            worker->capacity = worker->capacity ? 2 * worker->capacity : 65536;
            worker->times = realloc(worker->times, worker->capacity * sizeof *worker->times);
            if (!worker->times) fail("realloc");
        }
        worker->times[worker->count++] = (float)((done - begin) * 1e6);
        begin = done;
    } while (begin < end);
    close(connection);
    return NULL;
}

static int ascending(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

int main(int count, char **words) {
    if (count == 3 && strcmp(words[1], "--serve") == 0) serve(words[2]);
    if (count == 3 && strcmp(words[1], "--serve-checked") == 0) serve_checked(words[2]);
    if (count != 5) {
        fprintf(stderr, "usage: load SOCKET CONNECTIONS SECONDS echo|PATH, or load --serve|--serve-checked SOCKET\n");
        return 64;
    }
    socket_path = words[1];
    int connections = atoi(words[2]);
    seconds = atof(words[3]);
    is_echo = strcmp(words[4], "echo") == 0;
    request_length = (size_t)snprintf(
        request, sizeof request, "GET %s HTTP/1.1\r\nHost: voicegate\r\n\r\n", is_echo ? "/v1/authorization" : words[4]);
    struct worker *workers = calloc((size_t)connections, sizeof *workers);
    if (connections < 1 || !workers) return 64;
    double begin = now();
    for (int i = 0; i < connections; i++)
        if (pthread_create(&workers[i].thread, NULL, ask, &workers[i]) != 0) fail("pthread_create");
    size_t total = 0;
    for (int i = 0; i < connections; i++) {
        pthread_join(workers[i].thread, NULL);
        total += workers[i].count;
    }
    double taken = now() - begin;
    float *times = malloc((total + 1) * sizeof *times);
    if (!times || total == 0) return 1;
    size_t filled = 0;
    for (int i = 0; i < connections; i++) {
        memcpy(times + filled, workers[i].times, workers[i].count * sizeof *times);
        filled += workers[i].count;
    }
    qsort(times, total, sizeof *times, ascending);
    printf("%.0f %.1f %.1f\n", (double)total / taken, times[total / 2], times[total * 99 / 100]);
    return 0;
}

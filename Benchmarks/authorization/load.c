// Sends requests over a Unix socket as fast as they are answered, on several connections, one thread per connection.
//
//   load SOCKET CONNECTIONS SECONDS PATH   GET PATH, HTTP/1.1, kept alive; each answer must be a 200
//
// Prints requests a second, and p50 and p99 in microseconds.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "times.h"

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

static char request[4096];
static size_t request_length;
static double seconds;
static const char *socket_path;

struct worker {
    pthread_t thread;
    struct times times;
};

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
            if (answer_length(buffer, filled)) break;
        }
        double done = now();
        add_time(&worker->times, (float)((done - begin) * 1e6));
        begin = done;
    } while (begin < end);
    close(connection);
    return NULL;
}

int main(int count, char **words) {
    if (count != 5) {
        fprintf(stderr, "usage: load SOCKET CONNECTIONS SECONDS PATH\n");
        return 64;
    }
    socket_path = words[1];
    int connections = atoi(words[2]);
    seconds = atof(words[3]);
    request_length =
        (size_t)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: voicegate\r\n\r\n", words[4]);
    struct worker *workers = calloc((size_t)connections, sizeof *workers);
    if (connections < 1 || !workers) return 64;
    double begin = now();
    for (int i = 0; i < connections; i++)
        if (pthread_create(&workers[i].thread, NULL, ask, &workers[i]) != 0) fail("pthread_create");
    for (int i = 0; i < connections; i++) pthread_join(workers[i].thread, NULL);
    double taken = now() - begin;
    struct times all = {0};
    for (int i = 0; i < connections; i++)
        for (size_t j = 0; j < workers[i].times.count; j++) add_time(&all, workers[i].times.values[j]);
    print_times(&all, taken);
    return 0;
}

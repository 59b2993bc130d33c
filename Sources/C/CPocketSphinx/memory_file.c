#define _GNU_SOURCE
#include "memory_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char prefix[] = "voicegate-memory:";

int vg_memory_file(const void *bytes, size_t count) {
    int descriptor = memfd_create("voicegate-words", MFD_CLOEXEC);
    if (descriptor < 0) return -1;
    for (size_t written = 0; written < count;) {
        ssize_t step = write(descriptor, (const char *)bytes + written, count - written);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) {
            close(descriptor);
            return -1;
        }
        written += (size_t)step;
    }
    lseek(descriptor, 0, SEEK_SET);
    return descriptor;
}

void vg_memory_file_name(int descriptor, char name[vg_memory_file_name_length]) {
    snprintf(name, vg_memory_file_name_length, "%s%d", prefix, descriptor);
}

// Replaces the C library's function in the whole process, including the engine's libraries, which read language models by
// name only.
__attribute__((visibility("default"))) FILE *fopen(const char *restrict path, const char *restrict mode) {
    if (strncmp(path, prefix, sizeof prefix - 1) != 0) {
        FILE *(*next)(const char *, const char *) = (FILE * (*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen");
        if (next) return next(path, mode);
        errno = ENOSYS;
        return NULL;
    }
    // The returned file closes the copy; the caller's descriptor stays open.
    int copy = fcntl(atoi(path + sizeof prefix - 1), F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return NULL;
    FILE *file = fdopen(copy, mode);
    if (!file) close(copy);
    return file;
}

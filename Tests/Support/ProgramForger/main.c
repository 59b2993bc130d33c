// Takes the name of another program: it sets its own /proc/PID/exe (PR_SET_MM_MAP in prctl(2)) with the capabilities of a user
// namespace that it makes, and then sends a request to VoiceGate's socket.
//
//     program-forger alone|shared PROGRAM SOCKET PATH
//
// alone: in its own namespace. shared: by a child with the same memory in a namespace, so that it stays in that of its user.
// Prints the program that /proc names, or the error, and the answer in a line.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

struct mapping {
    char *start;
    size_t length;
    int protection;
};

// The kernel lets no process change its program while that is mapped, so the same bytes take its place.
static int forget_program(void) {
    static struct mapping mappings[64];
    char program[4096], line[8192];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0) return errno;
    program[length] = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) return errno;
    int count = 0;
    while (count < 64 && fgets(line, sizeof line, maps)) {
        unsigned long start, end;
        char rights[5];
        int name = 0;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %n", &start, &end, rights, &name) < 3 || name == 0) continue;
        if (strcmp(line + name, program) != 0) continue;
        mappings[count++] = (struct mapping){
            (char *)start, end - start,
            (rights[0] == 'r' ? PROT_READ : 0) | (rights[1] == 'w' ? PROT_WRITE : 0) |
                (rights[2] == 'x' ? PROT_EXEC : 0)};
    }
    fclose(maps);
    for (int index = 0; index < count; index++) {
        const struct mapping old = mappings[index];
        char *copy = mmap(NULL, old.length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (copy == MAP_FAILED) return errno;
        memcpy(copy, old.start, old.length);
        if (mprotect(copy, old.length, old.protection) < 0) return errno;
        if (mremap(copy, old.length, old.length, MREMAP_MAYMOVE | MREMAP_FIXED, old.start) == MAP_FAILED) return errno;
    }
    return 0;
}

// The fields of /proc/self/stat from 3 on (proc_pid_stat(5)).
static int read_fields(unsigned long long fields[53]) {
    char text[4096];
    int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    if (length < 0) return errno;
    text[length] = 0;
    char *place = strrchr(text, ')');
    if (!place) return EINVAL;
    // The third is a letter.
    place += 3;
    for (int number = 4; number < 53; number++) fields[number] = strtoull(place, &place, 10);
    return 0;
}

static int set_program(const char *path) {
    unsigned long long fields[53] = {0};
    int error = read_fields(fields);
    if (error) return error;
    int program = open(path, O_RDONLY | O_CLOEXEC);
    if (program < 0) return errno;
    struct prctl_mm_map map = {
        .start_code = fields[26], .end_code = fields[27], .start_data = fields[45], .end_data = fields[46],
        .start_brk = fields[47], .brk = (unsigned long)sbrk(0), .start_stack = fields[28], .arg_start = fields[48],
        .arg_end = fields[49], .env_start = fields[50], .env_end = fields[51], .exe_fd = (unsigned)program,
    };
    error = prctl(PR_SET_MM, PR_SET_MM_MAP, &map, sizeof map, 0) < 0 ? errno : 0;
    close(program);
    return error;
}

static int set_for_parent(void *path) { _exit(set_program(path)); }

static int become(const char *path, int is_shared) {
    int error = forget_program();
    if (error) return error;
    if (!is_shared) return unshare(CLONE_NEWUSER) < 0 ? errno : set_program(path);
    static char stack[1 << 16];
    pid_t child = clone(set_for_parent, stack + sizeof stack, CLONE_VM | CLONE_NEWUSER | SIGCHLD, (void *)path);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) return errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

static int ask(const char *socket_path, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, socket_path, sizeof address.sun_path - 1);
    int service = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (service < 0 || connect(service, (struct sockaddr *)&address, sizeof address) < 0) return errno;
    dprintf(service, "GET %s HTTP/1.1\r\nHost: v\r\nConnection: close\r\n\r\n", path);
    char part[4096];
    ssize_t length;
    printf("answer ");
    while ((length = read(service, part, sizeof part)) > 0)
        for (ssize_t index = 0; index < length; index++)
            if (part[index] != '\r') putchar(part[index] == '\n' ? ' ' : part[index]);
    putchar('\n');
    return 0;
}

int main(int count, char **words) {
    if (count != 5) return 64;
    int error = become(words[2], strcmp(words[1], "shared") == 0);
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    printf("program %.*s: %s\n", (int)length, program, strerror(error));
    error = ask(words[3], words[4]);
    if (error) printf("answer %s\n", strerror(error));
    return 0;
}

// Compares what the sandbox's roles let through with the committed table, sandbox.outcomes.
//
//     sandbox-probe check TABLE [--landlock N] [--no-namespaces]   prints each difference; exits with 1 if there is one
//     sandbox-probe write TABLE                                    prints the table with this machine's outcomes; the names
//                                                                  and numbers of calls are those of TABLE
//
// Two kinds of lines. `call` asks the kernel for the filter's verdict on each system call without executing it: under a filter that
// answers every call with its own errno, what the role's filter lets through gets that errno, the rest the role's.
// `attempt` makes an act of attempts.c in each role, and outside of any.
#define _GNU_SOURCE
#include "CLinux.h"
#include "probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mqueue.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *own_path;
// The library of Swift's runtime, NULL if this program is without; later the folder of its copy.
static const char *runtime;
static int without_namespaces;

// Verdicts.

enum { MARKER = 4000, MOST_CALLS = 512 };

static int fail(const char *what) {
    perror(what);
    exit(2);
}

static void mark_all(void) {
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UNLESS(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skipped))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
    // Lets through what vg_sandbox_calls itself needs.
    struct sock_filter program[] = {
        LOAD(nr), UNLESS(SYS_getpid, 1), ANSWER(SECCOMP_RET_ALLOW),
        UNLESS(SYS_prctl, 3), LOAD(args[0]), UNLESS(PR_SET_NO_NEW_PRIVS, 1), ANSWER(SECCOMP_RET_ALLOW),
        LOAD(nr), UNLESS(SYS_seccomp, 3), LOAD(args[1]), UNLESS(SECCOMP_FILTER_FLAG_TSYNC, 1), ANSWER(SECCOMP_RET_ALLOW),
        ANSWER(SECCOMP_RET_ERRNO | MARKER),
    };
    struct sock_fprog filter = {.len = sizeof program / sizeof program[0], .filter = program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) < 0)
        fail("seccomp");
}

// '+': let through with any arguments; '~': with some; '-': refused; '0': unknown to the kernel, as the filter says.
static char verdict(int call) {
    // The values that the rules compare with, and some that they do not.
    const long first[] = {0, 1, AF_INET, AF_VSOCK, CLONE_THREAD, CLONE_NEWUSER, PR_SET_NAME, PR_SET_MM, getpid(), 99999};
    const long second[] = {0, F_GETFD, 4, 5, 6, F_SETOWN, O_TRUNC, O_WRONLY | O_TRUNC, FIONREAD, TIOCSTI, SOCK_DGRAM};
    const long third[] = {0, 1, O_TRUNC, O_TRUNC | O_WRONLY};
    int allowed = 0, refused = 0, unknown = 0;
    for (size_t a = 0; a < sizeof first / sizeof first[0]; a++)
        for (size_t b = 0; b < sizeof second / sizeof second[0]; b++)
            for (size_t c = 0; c < sizeof third / sizeof third[0]; c++) {
                errno = 0;
                long result = syscall(call, first[a], second[b], third[c], 0, 0, 0);
                if (result >= 0 || errno == MARKER || errno == EFAULT || errno == EINVAL) allowed++;
                else if (errno == ENOSYS) unknown++;
                else refused++;
            }
    if (allowed) return refused + unknown ? '~' : '+';
    return unknown ? '0' : '-';
}

// The kernel's own calls from the trampolines of uprobes, which it takes past all filters; from elsewhere they end the process.
static int is_unfiltered(int call) {
#if defined(__x86_64__)
    return call == 335 || call == 336;
#else
    return call < 0;
#endif
}

static char (*ask_verdicts(void))[VG_ROLES] {
    char(*verdicts)[VG_ROLES] = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    volatile char *done = (char *)verdicts + (1 << 16) - 1;
    for (int role = 0; role < VG_ROLES; role++) {
        *done = 0;
        pid_t child = fork();
        if (child == 0) {
            mark_all();
            const int error = vg_sandbox_calls((enum vg_role)role);
            for (int call = 0; call < MOST_CALLS && !error; call++)
                verdicts[call][role] = is_unfiltered(call) ? '-' : verdict(call);
            *done = error ? 2 : 1;
            // It cannot exit.
            while (1) continue;
        }
        while (!*done && waitpid(child, NULL, WNOHANG) == 0) usleep(1000);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        if (*done != 1) fail("the filter");
    }
    return verdicts;
}

// Attempts.

// In roles, root's probe is this user, so that what a user may do is seen.
enum { USER = 65534 };

static void become_user(void) {
    if (geteuid() != 0) return;
    if (setgroups(0, NULL) < 0 || setresgid(USER, USER, USER) < 0 || setresuid(USER, USER, USER) < 0) fail("user");
    // As after an exec.
    prctl(PR_SET_DUMPABLE, 1);
}

static struct outside outside;
static char folder[] = "/var/tmp/voicegate-probe-XXXXXX";

static void write_letter(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, "letter", 6) != 6 || (geteuid() == 0 && fchown(file, USER, USER) < 0)) fail(path);
    close(file);
}

static int removes(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

static int listen_at(int type, const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int is_abstract = name == NULL;
    snprintf(address.sun_path + is_abstract, sizeof address.sun_path - 1, is_abstract ? "%s" : "%s/%s", folder, name);
    socklen_t length =
        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + is_abstract + strlen(address.sun_path + is_abstract));
    int end = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    if (bind(end, (struct sockaddr *)&address, length) < 0 || (type == SOCK_STREAM && listen(end, 64) < 0)) fail("socket");
    return end;
}

// A copy that the other user can read, wherever the original is. Returns its path.
static const char *copy(const char *from, const char *name) {
    char *path;
    struct stat status;
    const int source = open(from, O_RDONLY | O_CLOEXEC);
    if (asprintf(&path, "%s/program/%s", folder, name) < 0 || source < 0 || fstat(source, &status) < 0) fail(from);
    const int target = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    for (off_t done = 0; done < status.st_size;)
        if (target < 0 || sendfile(target, source, &done, (size_t)(status.st_size - done)) <= 0) fail(path);
    close(source);
    close(target);
    return path;
}

// Swift's runtime lies beside the copy: SwiftPM links each program with it.
static void copy_program(void) {
    char *path;
    if (asprintf(&path, "%s/program", folder) < 0 || mkdir(path, 0755) < 0) fail("program");
    own_path = copy(own_path, "sandbox-probe");
    if (runtime) copy(runtime, "libswiftCore.so");
    runtime = path;
}

static void make_outside(void) {
    umask(0);
    outside.folder = mkdtemp(folder);
    if (!outside.folder || (geteuid() == 0 && chown(folder, USER, USER) < 0)) fail("folder");
    copy_program();
    int master, slave;
    if (openpty(&master, &slave, NULL, NULL, NULL) < 0 || dup2(slave, TERMINAL) < 0) fail("terminal");
    fcntl(master, F_SETFD, FD_CLOEXEC);
    outside.key = getpid() | 0x5a000000;
    listen_at(SOCK_STREAM, "stream");
    listen_at(SOCK_DGRAM, "datagram");
    listen_at(SOCK_STREAM, NULL);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(end, (struct sockaddr *)&address, sizeof address) < 0 || listen(end, 64) < 0) fail("port");
    getsockname(end, (struct sockaddr *)&address, &length);
    outside.port = ntohs(address.sin_port);
    char name[32];
    snprintf(name, sizeof name, "/%d", outside.key);
    if (msgget(outside.key, IPC_CREAT | 0666) < 0 || shmget(outside.key, 4096, IPC_CREAT | 0666) < 0 ||
        semget(outside.key, 1, IPC_CREAT | 0666) < 0 || mq_open(name, O_CREAT | O_RDWR, 0666, NULL) < 0)
        fail("queues");
}

static void remove_outside(void) {
    char name[32];
    snprintf(name, sizeof name, "/%d", outside.key);
    mq_unlink(name);
    msgctl(msgget(outside.key, 0), IPC_RMID, NULL);
    shmctl(shmget(outside.key, 0, 0), IPC_RMID, NULL);
    semctl(semget(outside.key, 0, 0), 0, IPC_RMID);
    nftw(folder, removes, 16, FTW_DEPTH | FTW_PHYS);
}

// The files as they were.
static void restore_files(void) {
    static const char *const removed[] = {"new", "readable/new", "dead"};
    static const char *const folders[] = {"empty", "readable"};
    char path[128];
    for (size_t index = 0; index < sizeof removed / sizeof removed[0]; index++) {
        snprintf(path, sizeof path, "%s/%s", folder, removed[index]);
        remove(path);
    }
    for (size_t index = 0; index < sizeof folders / sizeof folders[0]; index++) {
        snprintf(path, sizeof path, "%s/%s", folder, folders[index]);
        mkdir(path, 0700);
        if (geteuid() == 0 && chown(path, USER, USER) < 0) fail(path);
    }
    write_letter("letter");
    write_letter("readable/model");
    unlink("/dev/shm/voicegate-probe");
}

// A process with something to read, whose parent makes the file `dead` when it dies.
static pid_t start_victim(int is_users) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) fail("pipe");
    pid_t watcher = fork();
    if (watcher == 0) {
        pid_t victim = fork();
        if (victim == 0) {
            if (is_users) become_user();
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
            strcpy((char *)0x10000000, "secret");
            if (write(ends[1], &(pid_t){getpid()}, sizeof(pid_t)) < 0) _exit(1);
            while (1) pause();
        }
        while (waitpid(victim, NULL, 0) < 0) continue;
        write_letter("dead");
        _exit(0);
    }
    if (read(ends[0], &outside.victim, sizeof outside.victim) < 0) fail("victim");
    close(ends[0]);
    close(ends[1]);
    return watcher;
}

static _Noreturn void act(const struct attempt *attempt) {
    errno = 0;
    int result = attempt->act(&outside);
    int is_refused = errno == EPERM || errno == EACCES || errno == ENOSYS || errno == EAFNOSUPPORT;
    if (result == 0 || (attempt->counts_any_answer && !is_refused)) _exit(0);
    _exit(errno && errno < 128 ? errno : 127);
}

// The column before the roles' is outside of any.
enum { COLUMNS = VG_ROLES + 1 };

static _Noreturn void act_in(int column, const struct attempt *attempt) {
    char readable[128], folder_text[128], victim[16], key[16], port[16];
    snprintf(readable, sizeof readable, "%s/readable", folder);
    enum vg_role role = (enum vg_role)(column - 1);
    if (column == 0) act(attempt);
    become_user();
    if (without_namespaces) {
        // As where an administrator allows none.
        struct sock_filter program[] = {
            LOAD(nr), UNLESS(SYS_unshare, 1), ANSWER(SECCOMP_RET_ERRNO | EPERM), ANSWER(SECCOMP_RET_ALLOW)};
        struct sock_fprog filter = {.len = 4, .filter = program};
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
    }
    if (role == VG_ENGINE) {
        snprintf(folder_text, sizeof folder_text, "%s", folder);
        snprintf(victim, sizeof victim, "%d", outside.victim);
        snprintf(key, sizeof key, "%d", outside.key);
        snprintf(port, sizeof port, "%d", outside.port);
        vg_engine_run(
            (const char *[]){own_path, readable, runtime, NULL},
            (const char *[]){own_path, "act", attempt->name, folder_text, victim, key, port, NULL});
    }
    if (role == VG_NO_NETWORK) {
        int error = vg_sandbox_enter_namespaces(role);
        // Then nothing is started.
        if (error || vg_drop_privileges() != 0) _exit(EPERM);
        act(attempt);
    }
    const char *const places[] = {readable, NULL};
    if (vg_sandbox_begin(role) != 0) _exit(120);
    int error = vg_sandbox_files(role, places);
    if (error != 0 && error != ENOSYS) _exit(121);
    if (vg_sandbox_calls(role) != 0) _exit(122);
    act(attempt);
}

// 'o': done; 'c': refused.
static char outcome(int column, const struct attempt *attempt, int *status) {
    restore_files();
    pid_t watcher = start_victim(column > 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) act_in(column, attempt);
    *status = 0;
    waitpid(child, status, 0);
    // The victim ends with it.
    kill(watcher, SIGKILL);
    waitpid(watcher, NULL, 0);
    return WIFEXITED(*status) && WEXITSTATUS(*status) == 0 ? 'o' : 'c';
}

// The table.

static int differences;

static void compare(const char *name, int column, char expected, char found) {
    static const char *const names[COLUMNS] = {"no role", "loading", "recognizer", "engine", "no-network"};
    if (expected == found) return;
    printf("%s in %s: expected %c, found %c\n", name, names[column], expected, found);
    differences++;
}

static void calls(const char *line, char (*verdicts)[VG_ROLES], char seen[], int is_writing) {
    char name[64], cells[VG_ROLES][4];
    int numbers[2], parts = sscanf(line, "call %63s %d %d %3s %3s %3s %3s", name, &numbers[0], &numbers[1], cells[0],
                                   cells[1], cells[2], cells[3]);
#if defined(__x86_64__)
    const int number = numbers[0];
#else
    const int number = numbers[1];
#endif
    if (parts < 3 || (parts != 3 + VG_ROLES && !is_writing)) exit(2);
    if (number >= 0) seen[number] = 1;
    if (is_writing) printf("call %-24s %3d %3d ", name, numbers[0], numbers[1]);
    for (int role = 0; role < VG_ROLES; role++) {
        if (is_writing) printf(" %c", number < 0 ? parts > 3 ? cells[role][0] : '?' : verdicts[number][role]);
        else if (number >= 0) compare(name, role + 1, cells[role][0], verdicts[number][role]);
    }
    if (is_writing) printf("\n");
}

// A cell is `o` (done), `c` (refused), `c` with the first Landlock ABI that refuses it, or `cn`: refused in namespaces only.
static char expected(int column, const char *cell) {
    // Neither is started then.
    if (column == 1 + VG_ENGINE && vg_sandbox_landlock() == 0) return 'c';
    if (column == 1 + VG_NO_NETWORK && without_namespaces) return 'c';
    if (strcmp(cell, "cn") == 0) return without_namespaces ? 'o' : 'c';
    return cell[0] == 'c' && cell[1] && vg_sandbox_landlock() < atoi(cell + 1) ? 'o' : cell[0];
}

static void try(const struct attempt *attempt, const char *line, int is_writing) {
    char cells[COLUMNS][4], name[64];
    const int is_root = geteuid() == 0 && prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) == 1;
    if (!is_writing && sscanf(line, "attempt %63s %3s %3s %3s %3s %3s", name, cells[0], cells[1], cells[2], cells[3],
                              cells[4]) != 1 + COLUMNS)
        exit(2);
    if (is_writing) printf("attempt %-28s", attempt->name);
    for (int column = 0; column < COLUMNS; column++) {
        int status;
        // Outside of any role the table has what root can do; `?` depends on the kernel's configuration.
        if (!is_writing && (cells[column][0] == '?' || (column == 0 && !is_root))) continue;
        const char found = outcome(column, attempt, &status);
        if (is_writing) printf(" %c", found);
        else compare(name, column, expected(column, cells[column]), found);
        if (getenv("VOICEGATE_PROBE_STATUS")) printf(":%x", status);
    }
    if (is_writing) printf("\n");
}

static void find_runtime(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char *line = NULL;
    size_t size = 0;
    while (maps && !runtime && getline(&line, &size, maps) > 0)
        if (strstr(line, "/libswiftCore.so")) runtime = strdup(strtok(strchr(line, '/'), "\n"));
    if (maps) fclose(maps);
    free(line);
}

int main(int count, char *arguments[]) {
    own_path = realpath("/proc/self/exe", NULL);
    find_runtime();
    // A parent's thread may block signals, which would keep victims alive.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (count == 7 && strcmp(arguments[1], "act") == 0) {
        outside = (struct outside){arguments[3], atoi(arguments[4]), atoi(arguments[5]), atoi(arguments[6])};
        for (int index = 0; index < attempt_count; index++)
            if (strcmp(attempts[index].name, arguments[2]) == 0) act(&attempts[index]);
        return 126;
    }
    const int is_writing = count > 2 && strcmp(arguments[1], "write") == 0;
    if (!is_writing && (count < 3 || strcmp(arguments[1], "check") != 0)) return 2;
    for (int index = 3; index < count; index++) {
        if (strcmp(arguments[index], "--no-namespaces") == 0) without_namespaces = 1;
        else if (strcmp(arguments[index], "--landlock") == 0 && index + 1 < count)
            vg_sandbox_newest_landlock = atoi(arguments[++index]);
        else return 2;
    }
    if (!vg_sandbox_has_namespaces()) without_namespaces = 1;
    FILE *table = fopen(arguments[2], "r");
    if (!table) fail(arguments[2]);
    char(*verdicts)[VG_ROLES] = ask_verdicts();
    char line[256], seen[MOST_CALLS] = {0};
    make_outside();
    int tried = 0;
    while (fgets(line, sizeof line, table)) {
        if (line[0] == '#' && is_writing) printf("%s", line);
        if (strncmp(line, "call ", 5) == 0) calls(line, verdicts, seen, is_writing);
        if (strncmp(line, "attempt ", 8) != 0 || is_writing) continue;
        if (tried == attempt_count) differences++;
        else try(&attempts[tried++], line, 0);
    }
    for (; is_writing && tried < attempt_count; tried++) try(&attempts[tried], "", 1);
    // Calls that the table does not name are refused where the role names its calls.
    for (int call = 0; call < MOST_CALLS; call++)
        for (int role = 0; role < VG_ROLES && !seen[call]; role++)
            if (strchr(role == VG_NO_NETWORK ? "+" : "-0", verdicts[call][role]) == NULL)
                compare("a call without a name", role + 1, '-', verdicts[call][role]);
    remove_outside();
    if (tried != attempt_count) differences++;
    if (!is_writing) printf("%d attempts, %d differences\n", tried, differences);
    return differences > 0;
}

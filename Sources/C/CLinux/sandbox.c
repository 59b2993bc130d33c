#define _GNU_SOURCE
#include "sandbox.h"
#include "architecture.h"
#include "sandbox_calls.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Landlock's rights by ABI version (landlock(7)); Debian 12's header ends with version 2.
enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    VERSION_1 = (1 << 13) - 1,
    REFER = 1 << 13,
    TRUNCATE = 1 << 14,
    IOCTL_DEV = 1 << 15,
    // What a rule for a file, instead of a folder, may contain.
    OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV,
    READING = READ_FILE | READ_DIR,
    // Networks, version 4: bind, connect. Scopes, version 6: abstract sockets, signals.
    TCP = 3,
    OUTSIDE = 3,
};

struct ruleset {
    uint64_t files, network, scope;
};

struct place {
    const char *path;
    unsigned rights;
};

// Each may be missing. Programs expect to be able to write to /dev/null.
static const struct place no_places[] = {{0}};
static const struct place program_places[] = {
    {"/usr", READING | EXECUTE}, {"/lib", READING | EXECUTE}, {"/lib64", READING | EXECUTE}, {"/bin", READING | EXECUTE},
    {"/sbin", READING | EXECUTE}, {"/etc/ld.so.cache", READ_FILE}, {"/etc/ld.so.conf", READ_FILE},
    {"/etc/ld.so.conf.d", READING}, {"/etc/localtime", READ_FILE}, {"/etc/alternatives", READING},
    {"/dev/urandom", READ_FILE}, {"/dev/zero", READ_FILE}, {"/proc/cpuinfo", READ_FILE}, {"/proc/meminfo", READ_FILE},
    {"/sys/devices/system/cpu", READING}, {"/dev/null", READ_FILE | WRITE_FILE}, {0},
};

#define GIGABYTE (1ul << 30)

static const struct role {
    const struct place *places;
    // For its readable paths.
    unsigned reading;
    // Landlock also decides about files; otherwise only about signals and abstract sockets.
    int confines_files;
    // Entered by vg_sandbox_enter_namespaces if the kernel allows it.
    int namespaces;
    unsigned long unnamed_calls, other_architecture, x32;
    // 0: unchanged. Of each process, but `processes`, which counts the threads of the user in its user namespace.
    rlim_t memory, file, descriptors, processes;
} roles[VG_ROLES] = {
    // The recogniser needs no namespace: after loading it can neither name nor start a process, nor make a socket.
    // Each decoder of a sound file opens the model, up to 64 at the same time.
    [VG_LOADING] = {no_places, READING, 1, 0, SECCOMP_RET_ERRNO | EPERM, SECCOMP_RET_ERRNO | EPERM,
                    SECCOMP_RET_ERRNO | EPERM, 16 * GIGABYTE, GIGABYTE, 1024, 0},
    [VG_RECOGNIZER] = {no_places, READING, 1, 0, SECCOMP_RET_ERRNO | EPERM, SECCOMP_RET_ERRNO | EPERM,
                       SECCOMP_RET_ERRNO | EPERM, 16 * GIGABYTE, GIGABYTE, 1024, 0},
    [VG_ENGINE] = {program_places, READING | EXECUTE, 1, CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNET,
                   SECCOMP_RET_ERRNO | EPERM, SECCOMP_RET_ERRNO | EPERM, SECCOMP_RET_ERRNO | EPERM,
                   16 * GIGABYTE, GIGABYTE, 1024, 4096},
    [VG_NO_NETWORK] = {no_places, 0, 0, CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC, SECCOMP_RET_ALLOW,
                       SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ERRNO | ENOSYS, 0, 0, 0, 0},
};

// Of an engine with its own user namespace, where nothing else of the user counts.
static const rlim_t own_processes = 512;

// The namespaces that this process has entered.
static int entered;

int vg_sandbox_newest_landlock = 7;

int vg_sandbox_landlock(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 0) return 0;
    return version < vg_sandbox_newest_landlock ? (int)version : vg_sandbox_newest_landlock;
}

static int allow(int ruleset, const char *path, uint64_t rights) {
    struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0) return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    struct stat status;
    if (fstat(rule.parent_fd, &status) == 0 && !S_ISDIR(status.st_mode)) rule.allowed_access &= OF_FILES;
    int error = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0 ? errno : 0;
    close(rule.parent_fd);
    return error;
}

int vg_sandbox_files(enum vg_role name, const char *const readable[]) {
    const struct role *role = &roles[name];
    int version = vg_sandbox_landlock();
    if (version == 0) return ENOSYS;
    struct ruleset handled = {.scope = version >= 6 ? OUTSIDE : 0};
    if (role->confines_files) {
        handled.files = VERSION_1 | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0) |
                        (version >= 5 ? IOCTL_DEV : 0);
        handled.network = version >= 4 ? TCP : 0;
    } else if (version < 6) {
        return ENOSYS;
    }
    size_t size = version >= 6 ? sizeof handled : version >= 4 ? offsetof(struct ruleset, scope) : sizeof handled.files;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0);
    if (ruleset < 0) return errno;
    int error = 0;
    for (const struct place *place = role->places; place->path && !error; place++)
        error = allow(ruleset, place->path, place->rights & handled.files);
    for (; readable && *readable && !error; readable++) error = allow(ruleset, *readable, role->reading);
    if (!error && syscall(SYS_landlock_restrict_self, ruleset, 0) < 0) error = errno;
    close(ruleset);
    return error;
}

static int write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return errno;
    ssize_t count = write(file, text, strlen(text));
    int error = count < 0 ? errno : 0;
    close(file);
    return error;
}

static int map_identifiers(const char *path, unsigned identifier, int is_all) {
    char line[64];
    snprintf(line, sizeof line, "%u %u %u\n", is_all ? 0 : identifier, is_all ? 0 : identifier, is_all ? 4294967295u : 1);
    return write_file(path, line);
}

int vg_sandbox_enter_namespaces(enum vg_role name) {
    const int wanted = roles[name].namespaces;
    const uid_t user = geteuid();
    const gid_t group = getegid();
    // System V's and POSIX's queues can be closed by the filter instead.
    if (unshare(entered = wanted) < 0 && unshare(entered = wanted & ~CLONE_NEWIPC) < 0) {
        int error = errno;
        // Root does without a user namespace.
        if (user != 0 || (unshare(entered = wanted & ~CLONE_NEWUSER) < 0 &&
                          unshare(entered = wanted & ~(CLONE_NEWUSER | CLONE_NEWIPC)) < 0)) {
            entered = 0;
            return error;
        }
        return 0;
    }
    // Root may map all identifiers; another user only its own, and only without setgroups (user_namespaces(7)).
    int error = user == 0 ? map_identifiers("/proc/self/uid_map", 0, 1) : EPERM;
    const int is_all = error == 0;
    if (!is_all) {
        error = write_file("/proc/self/setgroups", "deny");
        if (!error) error = map_identifiers("/proc/self/uid_map", user, 0);
    }
    return error ? error : map_identifiers("/proc/self/gid_map", group, is_all);
}

int vg_sandbox_namespaces(void) { return entered; }

int vg_sandbox_has_namespaces(void) {
    pid_t child = fork();
    if (child < 0) return 0;
    // System calls only: the parent may have threads (fork(2)).
    if (child == 0) _exit(syscall(SYS_unshare, roles[VG_ENGINE].namespaces) == 0 ? 0 : 1);
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int vg_keep_capabilities(void) {
    // ENOSYS or EINVAL: a kernel without ambient capabilities cannot pass any on.
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL) return errno;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {0};
    if (syscall(SYS_capget, &header, sets) < 0) return errno;
    for (int half = 0; half < _LINUX_CAPABILITY_U32S_3; half++) sets[half].inheritable = 0;
    return syscall(SYS_capset, &header, sets) < 0 ? errno : 0;
}

int vg_drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {0};
    if (syscall(SYS_capget, &header, sets) < 0) return errno;
    unsigned held = 0;
    for (int half = 0; half < _LINUX_CAPABILITY_U32S_3; half++)
        held |= sets[half].permitted | sets[half].inheritable;
    // Without any there is none to regain: a program that would give some is started without them (no_new_privs).
    if (held == 0) return 0;
    // Otherwise root would regain all at the next exec. EPERM: it has some, but not CAP_SETPCAP.
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 && errno != EPERM) return errno;
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL) return errno;
    memset(sets, 0, sizeof sets);
    return syscall(SYS_capset, &header, sets) < 0 ? errno : 0;
}

// Never raises a stricter limit.
static int limit(int resource, rlim_t value) {
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now) < 0) return errno;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < value) value = now.rlim_max;
    const struct rlimit bound = {value, value};
    return setrlimit((__rlimit_resource_t)resource, &bound) < 0 ? errno : 0;
}

static int limit_use(const struct role *role) {
    const struct {
        int resource;
        rlim_t value;
    } limits[] = {
        {RLIMIT_AS, role->memory}, {RLIMIT_FSIZE, role->file}, {RLIMIT_NOFILE, role->descriptors},
        {RLIMIT_NPROC, entered & CLONE_NEWUSER ? own_processes : role->processes},
    };
    int error = limit(RLIMIT_CORE, 0);
    if (!error) error = limit(RLIMIT_MSGQUEUE, 0);
    for (size_t index = 0; index < sizeof limits / sizeof limits[0] && !error; index++)
        if (limits[index].value > 0) error = limit(limits[index].resource, limits[index].value);
    return error;
}

int vg_sandbox_begin(enum vg_role name) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return errno;
    // A write to a closed socket returns EPIPE, so that the process can log it before it ends.
    if (name != VG_ENGINE && signal(SIGPIPE, SIG_IGN) == SIG_ERR) return errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return errno;
    if (prctl(PR_SET_DUMPABLE, 0) < 0) return errno;
    int error = limit_use(&roles[name]);
    return error ? error : vg_drop_capabilities();
}

// A filter (seccomp(2)) while it is written.
struct filter {
    struct sock_filter program[4096];
    unsigned short length;
};

static void add(struct filter *filter, unsigned short code, unsigned value, unsigned char yes, unsigned char no) {
    filter->program[filter->length++] = (struct sock_filter){code, yes, no, value};
}

static void load(struct filter *filter, size_t offset) { add(filter, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0); }

static void answer(struct filter *filter, unsigned long verdict) { add(filter, BPF_RET | BPF_K, (unsigned)verdict, 0, 0); }

// Continues with the next instruction if the condition is met. Returns the place of the jump that is taken if it is not.
static unsigned short test(struct filter *filter, const struct condition *condition) {
    load(filter, offsetof(struct seccomp_data, args) + 8 * condition->argument);
    if (condition->kind == ONE_OF) {
        int count = 0;
        while (condition->values[count] != LAST) count++;
        for (int index = 0; index < count; index++)
            add(filter, BPF_JMP | BPF_JEQ | BPF_K, condition->values[index], (unsigned char)(count - index), 0);
        add(filter, BPF_JMP | BPF_JA, 0, 0, 0);
        return filter->length - 1;
    }
    if (condition->kind == MASKED && condition->mask != ~0u) add(filter, BPF_ALU | BPF_AND | BPF_K, condition->mask, 0, 0);
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, condition->kind == MASKED ? condition->value : (unsigned)getpid(), 1, 0);
    add(filter, BPF_JMP | BPF_JA, 0, 0, 0);
    return filter->length - 1;
}

static void decide(struct filter *filter, const struct rule *rule) {
    const unsigned long verdict = rule->error ? SECCOMP_RET_ERRNO | rule->error : SECCOMP_RET_ALLOW;
    if (rule->conditions[0].kind == ALWAYS) {
        add(filter, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)rule->call, 0, 1);
        return answer(filter, verdict);
    }
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)rule->call, 1, 0);
    unsigned short exits[3] = {filter->length};
    int count = 1;
    add(filter, BPF_JMP | BPF_JA, 0, 0, 0);
    for (int index = 0; index < 2 && rule->conditions[index].kind != ALWAYS; index++)
        exits[count++] = test(filter, &rule->conditions[index]);
    answer(filter, verdict);
    // Another call jumps over the load, which the next rule needs only after a condition.
    for (int index = 0; index < count; index++)
        filter->program[exits[index]].k = (unsigned)(filter->length - exits[index] - 1);
    load(filter, offsetof(struct seccomp_data, nr));
}

int vg_sandbox_calls(enum vg_role name) {
    const struct role *role = &roles[name];
    static struct filter filter;
    filter.length = 0;
    load(&filter, offsetof(struct seccomp_data, arch));
    // Other architectures have other call numbers.
    add(&filter, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0);
    answer(&filter, role->other_architecture);
    load(&filter, offsetof(struct seccomp_data, nr));
    // The numbers of x32 begin here: the same calls with other numbers. No other architecture has calls in this range.
    add(&filter, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
    answer(&filter, role->x32);
    for (size_t index = 0; index < sizeof rules / sizeof rules[0]; index++)
        if (rules[index].roles & 1 << name) decide(&filter, &rules[index]);
    if (name == VG_NO_NETWORK && !(entered & CLONE_NEWIPC))
        for (size_t index = 0; index < sizeof shared_queues / sizeof shared_queues[0]; index++)
            decide(&filter, &(struct rule){.call = shared_queues[index], .error = EPERM});
    if (role->unnamed_calls != SECCOMP_RET_ALLOW) {
        add(&filter, BPF_JMP | BPF_JGT | BPF_K, LAST_KNOWN_CALL, 0, 1);
        answer(&filter, SECCOMP_RET_ERRNO | ENOSYS);
    }
    answer(&filter, role->unnamed_calls);
    struct sock_fprog program = {.len = filter.length, .filter = filter.program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return errno;
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    return result == 0 ? 0 : (result > 0 ? EAGAIN : errno);
}

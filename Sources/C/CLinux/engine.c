#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

// Three processes, if the kernel allows a pid namespace:
//
//     supervisor   the service's child; ends with the service
//     └─ init      of the namespace; ends with the supervisor, and all in the namespace with it
//        └─ engine confined; its children, too
//
// Otherwise the supervisor is the engine's parent. The engine cannot leave the supervisor's process group, because its filter
// refuses setsid and setpgid; so killing the group kills all, and what the engine leaves behind becomes the supervisor's child.

static _Noreturn void fail(const char *program, const char *what, int error, int status) {
    dprintf(STDERR_FILENO, "error the engine %s cannot be %s: %s\n", program, what, strerror(error));
    _exit(status);
}

// Ends with the parent, also if that ended before this call. `parent` is the reading end of a pipe whose writing end only the
// parent has.
static void end_with(int parent, int signal) {
    struct pollfd pipe = {.fd = parent, .events = POLLIN};
    if (prctl(PR_SET_PDEATHSIG, signal) < 0 || poll(&pipe, 1, 0) != 0) _exit(EX_OSERR);
}

static _Noreturn void become(const char *const readable[], const char *const command[]) {
    int error = vg_sandbox_begin(VG_ENGINE);
    if (!error) error = vg_sandbox_files(VG_ENGINE, readable);
    if (!error) error = vg_sandbox_calls(VG_ENGINE);
    if (error) fail(command[0], "confined and is not started", error, EX_OSERR);
    // execv does not write to the strings.
    execv(command[0], (char *const *)command);
    fail(command[0], "started", errno, EX_UNAVAILABLE);
}

// Starts a child that ends with this process. Returns 0 in the child; in the parent, standard input becomes what the child
// watches.
static pid_t branch(const char *program) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) fail(program, "started", errno, EX_OSERR);
    const pid_t child = fork();
    if (child < 0) fail(program, "started", errno, EX_OSERR);
    if (child == 0) {
        close(ends[1]);
        end_with(ends[0], SIGKILL);
        return 0;
    }
    // The engine alone keeps its socket, so that the service sees when it closes it.
    dup2(ends[1], STDIN_FILENO);
    close_range(STDIN_FILENO + 1, ~0u, 0);
    return child;
}

// Returns the exit status of the child; other children are waited for, too.
static int wait_for(pid_t child) {
    int status = 0;
    while (1) {
        const pid_t ended = wait(&status);
        if (ended == child) return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        if (ended < 0 && errno != EINTR) return EX_OSERR;
    }
}

static void kill_group(int signal) {
    (void)signal;
    kill(0, SIGKILL);
}

void vg_engine_run(const char *const readable[], const char *const command[]) {
    // A parent's thread may block signals, and its children inherit that.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // A separate group, so that killing it kills nothing else.
    if (getpgrp() != getpid() && setpgid(0, 0) < 0) fail(command[0], "confined and is not started", errno, EX_OSERR);
    const pid_t group = getpid();
    // Without them the group has to do. Files stay readable if the identifiers could not be mapped.
    vg_sandbox_enter_namespaces(VG_ENGINE);
    struct sigaction ending = {.sa_handler = kill_group};
    int error = vg_drop_capabilities();
    if (!error && (signal(SIGCHLD, SIG_DFL) == SIG_ERR || sigaction(SIGTERM, &ending, NULL) < 0 ||
                   prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 || prctl(PR_SET_PDEATHSIG, SIGTERM) < 0))
        error = errno;
    if (error) fail(command[0], "confined and is not started", error, EX_OSERR);
    // The service may have ended before the signal was asked for: then its end of the socket is closed.
    struct pollfd service = {.fd = 3};
    if (poll(&service, 1, 0) > 0 && service.revents & POLLHUP) _exit(EX_OSERR);
    const pid_t child = branch(command[0]);
    if (child == 0) {
        signal(SIGTERM, SIG_DFL);
        if (!(vg_sandbox_namespaces() & CLONE_NEWPID)) become(readable, command);
        const pid_t engine = branch(command[0]);
        if (engine == 0) become(readable, command);
        _exit(wait_for(engine));
    }
    const int status = wait_for(child);
    // Remaining processes are killed; this process leaves the group before, so that the status is passed on.
    pid_t left;
    while ((left = waitpid(-1, NULL, WNOHANG)) > 0) continue;
    if (left == 0) {
        // From here on its group is the parent's, which SIGTERM must not end.
        signal(SIGTERM, SIG_IGN);
        if (setpgid(0, getpgid(getppid())) < 0) kill(0, SIGKILL);
        kill(-group, SIGKILL);
        while (wait(NULL) > 0 || errno == EINTR) continue;
    }
    _exit(status);
}

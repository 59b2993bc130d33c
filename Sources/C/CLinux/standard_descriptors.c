#include <fcntl.h>
#include <unistd.h>

// Before the runtime's queues open their descriptors: one that got the number of a closed standard output or error would be written
// into. What is written there fails as if it were closed.
__attribute__((constructor)) static void reserve_standard_descriptors(void) {
    const int flags[] = {[STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_WRONLY};
    for (int number = STDOUT_FILENO; number <= STDERR_FILENO; number++) {
        if (fcntl(number, F_GETFD) >= 0) continue;
        int nothing = open("/dev/null", flags[number]);
        if (nothing < 0 || nothing == number) continue;
        dup2(nothing, number);
        close(nothing);
    }
}

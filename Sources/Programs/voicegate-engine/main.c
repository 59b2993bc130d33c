// Confines another's recogniser, which receives speech and must not be able to pass it on, and runs it to its end. In C, because
// one of these waits beside each engine.
#include "CLinux.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

// Arguments: [--readable PATH]… -- PROGRAM [ARGUMENT]…
int main(int count, char *arguments[]) {
    const char **readable = calloc((size_t)count, sizeof *readable);
    if (!readable) return EX_OSERR;
    int place = 1;
    for (int paths = 0; place + 1 < count && strcmp(arguments[place], "--readable") == 0; place += 2)
        readable[paths++] = arguments[place + 1];
    if (place + 1 < count && strcmp(arguments[place], "--") == 0)
        vg_engine_run(readable, (const char *const *)&arguments[place + 1]);
    fputs("error voicegate-engine is started by voicegated and cannot be used alone.\n", stderr);
    return EX_USAGE;
}

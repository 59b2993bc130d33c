#pragma once

// Linux functions that Swift's Glibc module lacks: variadic calls, GNU extensions, and calls without a wrapper in Debian 12's
// glibc. Each returns -1 and sets errno on failure, unless documented otherwise.

#include "access.h"
#include "confinement.h"
#include "peer.h"
#include "process.h"
#include "sandbox.h"
#include "terminal.h"
#include "worker.h"

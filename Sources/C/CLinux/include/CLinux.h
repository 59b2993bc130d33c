#pragma once

// What Linux offers and Swift's Glibc module does not show: variadic calls, GNU extensions, and calls that Debian 12's
// glibc has no wrapper for. Each returns -1 and sets errno on failure, unless said otherwise.

#include "access.h"
#include "capabilities.h"
#include "confinement.h"
#include "engine.h"
#include "enrolment.h"
#include "launch.h"
#include "peer.h"
#include "process.h"
#include "terminal.h"
#include "worker.h"

#pragma once

// Calls that Swift's Glibc does not show, grouped by what they are for.
#include "peer.h"
#include "process.h"
#include "worker.h"

#pragma once

// Debian's libpq-dev puts it into a folder of its own.
#include <postgresql/libpq-fe.h>

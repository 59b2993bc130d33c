#pragma once

// Debian's libpq-dev puts it into its own folder.
#include <postgresql/libpq-fe.h>

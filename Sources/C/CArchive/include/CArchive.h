// libarchive's plain C interface; nothing is wrapped.
#pragma once
#include <archive.h>
#include <archive_entry.h>

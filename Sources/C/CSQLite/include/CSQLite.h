#pragma once

#include <sqlite3.h>

/// Sets whether closing the last connection copies the write-ahead log into the database. Variadic in C
/// (sqlite3_db_config, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE). Returns SQLite's code.
int csqlite_set_checkpoint_on_close(sqlite3 *database, int is_on);

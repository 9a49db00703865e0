#ifndef CCARRYOVER_SQLITE_H
#define CCARRYOVER_SQLITE_H

#include <sqlite3.h>

/* sqlite3_db_config is variadic, which Swift cannot call. */
static inline int csqlite_set_flag(sqlite3 *database, int option, int on) {
  return sqlite3_db_config(database, option, on, (int *)0);
}

#endif

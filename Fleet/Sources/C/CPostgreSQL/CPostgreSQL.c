#include "CPostgreSQL.h"

#include "CSystemBus.h"

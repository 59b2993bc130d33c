#pragma once
#include "worker.h"

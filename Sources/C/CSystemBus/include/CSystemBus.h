// libsystemd's sd-bus (sd-bus(3)), the implementation of D-Bus that every Debian has; nothing is wrapped, and nothing variadic of it is used.
#pragma once
#include <systemd/sd-bus.h>

#pragma once
// libmicrohttpd, with the few calls that Swift cannot make itself.
#include <stdint.h>
#include <stddef.h>
#include <microhttpd.h>

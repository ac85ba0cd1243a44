#include <geodesic.h>
#include <proj.h>

#include <wslay/wslay.h>

// What the loop around it is made of, and Swift's own C module leaves out.
#include <sys/epoll.h>
#include <sys/eventfd.h>

#define _GNU_SOURCE
#include "CMicroHTTPD.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

// The library answers what it cannot parse with HTML of its own, some of it with two heads, some naming the library. It
// has no hook for that, but it sends those answers through its public function, which the dynamic linker finds here
// first. By then the client has got its answer past the library, whose own must not follow: nothing more can be sent.
// The library is still given its way, because it goes on with a connection that it could not answer as if it had, and
// reads memory that it has freed. The application's answers take the way past all this.
typedef enum MHD_Result (*queue_function)(struct MHD_Connection *, unsigned int, struct MHD_Response *);

static _Atomic(httpd_refusal) on_refusal;

void httpd_set_refusal(httpd_refusal refusal) {
    atomic_store(&on_refusal, refusal);
}

enum MHD_Result httpd_queue_response(
    struct MHD_Connection *connection, unsigned status, struct MHD_Response *response) {
    static _Atomic(queue_function) library;
    queue_function queue = atomic_load_explicit(&library, memory_order_relaxed);
    if (queue == NULL) {
        queue = (queue_function)dlsym(RTLD_NEXT, "MHD_queue_response");
        if (queue == NULL) return MHD_NO;
        atomic_store_explicit(&library, queue, memory_order_relaxed);
    }
    return queue(connection, status, response);
}

__attribute__((visibility("default"))) enum MHD_Result MHD_queue_response(
    struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    httpd_refusal refusal = atomic_load(&on_refusal);
    if (refusal != NULL) refusal(connection, status);
    shutdown(httpd_descriptor(connection), SHUT_WR);
    return httpd_queue_response(connection, status, response);
}

// The library would take the query apart into its small pool of memory for the connection, and crashes when that is
// full. The query is read in Swift, from a copy that the callback has made by now, so it is ended here before it begins.
static _Atomic(httpd_request_line) on_request_line;

static void *take_request_line(void *context, const char *target, struct MHD_Connection *connection) {
    atomic_load_explicit(&on_request_line, memory_order_relaxed)(context, target, connection);
    char *query = strchr(target, '?');
    if (query != NULL) query[1] = '\0';
    return NULL;
}

// The target is judged and decoded in Swift: decoding in place would cut it at %00.
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

// What the library has to say is about single clients' faults, which are answered and counted elsewhere.
static void discard_log(void *context, const char *format, va_list arguments) {
    (void)context;
    (void)format;
    (void)arguments;
}

struct MHD_Daemon *httpd_start(const httpd_configuration *configuration, const httpd_callbacks *callbacks) {
    atomic_store(&on_request_line, callbacks->requestLine);
    const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME | MHD_ALLOW_UPGRADE
        | MHD_USE_ERROR_LOG;
    return MHD_start_daemon(
        flags, 0, callbacks->accept, callbacks->context, callbacks->access, callbacks->context,
        MHD_OPTION_EXTERNAL_LOGGER, &discard_log, NULL,  // must stand first: the library logs while it reads options
        MHD_OPTION_LISTEN_SOCKET, configuration->listenSocket,
        MHD_OPTION_CONNECTION_LIMIT, configuration->connectionLimit,
        MHD_OPTION_CONNECTION_TIMEOUT, configuration->idleSeconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, configuration->connectionMemory,
        MHD_OPTION_STRICT_FOR_CLIENT, 0,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_URI_LOG_CALLBACK, &take_request_line, callbacks->context,
        MHD_OPTION_UNESCAPE_CALLBACK, &keep_escapes, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
        MHD_OPTION_END);
}

static void take_socket(
    void *upgraded, struct MHD_Connection *connection, void *context, const char *early, size_t earlyCount,
    MHD_socket descriptor, struct MHD_UpgradeResponseHandle *handle) {
    (void)context;
    ((httpd_upgraded)upgraded)(connection, early, earlyCount, descriptor);
    MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

struct MHD_Response *httpd_create_upgrade(httpd_upgraded upgraded) {
    return MHD_create_response_for_upgrade(&take_socket, (void *)upgraded);
}

typedef struct {
    httpd_field *fields;
    size_t capacity;
    size_t count;
} collector;

static enum MHD_Result collect(
    void *context, enum MHD_ValueKind kind, const char *name, size_t nameLength, const char *value,
    size_t valueLength) {
    collector *into = context;
    (void)kind;
    if (into->count < into->capacity) {
        into->fields[into->count] = (httpd_field){name, nameLength, value, value == NULL ? 0 : valueLength};
    }
    into->count += 1;
    return MHD_YES;
}

size_t httpd_fields(struct MHD_Connection *connection, httpd_field *fields, size_t capacity) {
    collector into = {fields, capacity, 0};
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, &collect, &into);
    return into.count;
}

size_t httpd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

int httpd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

void *httpd_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

const struct sockaddr *httpd_client_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

#pragma once
// libmicrohttpd, with the few calls that Swift cannot make itself: variadic functions and closed enums.
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <microhttpd.h>

/// What one daemon is started with.
typedef struct {
    int listenSocket;
    unsigned connectionLimit;
    unsigned idleSeconds;
    size_t connectionMemory;
} httpd_configuration;

/// Told of a request line. The target is whole only during the call: afterwards its query is cut off (see the shim).
typedef void (*httpd_request_line)(void *context, const char *target, struct MHD_Connection *connection);

/// The callbacks of one daemon; `context` is handed to each. `requestLine` is one for the whole process.
typedef struct {
    void *context;
    MHD_AcceptPolicyCallback accept;
    MHD_NotifyConnectionCallback connection;
    httpd_request_line requestLine;
    MHD_AccessHandlerCallback access;
    MHD_RequestCompletedCallback completed;
} httpd_callbacks;

/// A header field where it lies in the connection's buffer; not terminated.
typedef struct {
    const char *name;
    size_t nameLength;
    const char *value;
    size_t valueLength;
} httpd_field;

/// Told when the library refuses a request by itself, with the status that it would send. The callee answers in its place,
/// on the socket; nothing can be sent afterwards, and the library closes the connection. One for the whole process; set
/// before the first daemon is started.
typedef void (*httpd_refusal)(struct MHD_Connection *connection, unsigned status);
void httpd_set_refusal(httpd_refusal refusal);

/// `MHD_queue_response` for the application's own answers.
enum MHD_Result httpd_queue_response(
    struct MHD_Connection *connection, unsigned status, struct MHD_Response *response);

/// One thread with one epoll set on `listenSocket`; NULL if it cannot start.
struct MHD_Daemon *httpd_start(const httpd_configuration *configuration, const httpd_callbacks *callbacks);

/// Given a socket that has become something else than HTTP, and what came on it behind the request. Both are valid only
/// during the call: afterwards the library closes the socket, so the callee duplicates it.
typedef void (*httpd_upgraded)(struct MHD_Connection *connection, const char *early, size_t earlyCount, int descriptor);

/// The answer 101, to which headers are added as to any other. NULL if there is no memory.
struct MHD_Response *httpd_create_upgrade(httpd_upgraded upgraded);

/// The header fields in their order. Returns how many there are; at most `capacity` are stored.
size_t httpd_fields(struct MHD_Connection *connection, httpd_field *fields, size_t capacity);

/// Bytes from the method to the end of the empty line, as they were received; 0 if unknown.
size_t httpd_head_size(struct MHD_Connection *connection);

int httpd_descriptor(struct MHD_Connection *connection);
void *httpd_connection_context(struct MHD_Connection *connection);
const struct sockaddr *httpd_client_address(struct MHD_Connection *connection);

static const enum MHD_Result httpd_yes = MHD_YES;
static const enum MHD_Result httpd_no = MHD_NO;
static const enum MHD_ConnectionNotificationCode httpd_connection_opened = MHD_CONNECTION_NOTIFY_STARTED;
static const enum MHD_RequestTerminationCode httpd_request_completed = MHD_REQUEST_TERMINATED_COMPLETED_OK;
static const enum MHD_ResponseMemoryMode httpd_memory_persistent = MHD_RESPMEM_PERSISTENT;

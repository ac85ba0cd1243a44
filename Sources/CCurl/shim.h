#include <curl/curl.h>

// `curl_easy_setopt` and `curl_easy_getinfo` are variadic, which Swift cannot call: one function for each kind of value.

static inline CURLcode ccurl_initialize(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

static inline CURLcode ccurl_set_number(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}

// Copies the text.
static inline CURLcode ccurl_set_text(CURL *curl, CURLoption option, const char *value) {
    return curl_easy_setopt(curl, option, value);
}

// The list must live until the transfer has ended.
static inline CURLcode ccurl_set_list(CURL *curl, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(curl, option, list);
}

static inline CURLcode ccurl_set_source(CURL *curl, curl_read_callback read, void *context) {
    CURLcode result = curl_easy_setopt(curl, CURLOPT_READFUNCTION, read);
    return result == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_READDATA, context) : result;
}

static inline CURLcode ccurl_set_progress(CURL *curl, curl_xferinfo_callback progress, void *context) {
    CURLcode result = curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, progress);
    return result == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_XFERINFODATA, context) : result;
}

// The last reply of the server, 0 if there was none.
static inline long ccurl_reply_code(CURL *curl) {
    long code = 0;
    return curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}

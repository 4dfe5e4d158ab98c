#include "CFetch.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// libcurl's macros check types only where its functions are called by their own names.
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define FUNCTIONS(each)                                                                           \
  each(curl_global_init) each(curl_easy_init) each(curl_easy_setopt) each(curl_easy_getinfo)      \
  each(curl_easy_header) each(curl_easy_strerror) each(curl_easy_cleanup) each(curl_slist_append) \
  each(curl_slist_free_all) each(curl_multi_init) each(curl_multi_add_handle)                     \
  each(curl_multi_perform) each(curl_multi_poll) each(curl_multi_info_read)                       \
  each(curl_multi_remove_handle) each(curl_multi_cleanup)

static struct {
#define POINTER(name) __typeof__(name) *name;
  FUNCTIONS(POINTER)
#undef POINTER
} curl;
static int is_loaded;

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name)                                                     \
  if (!(curl.name = (__typeof__(name) *)dlsym(library, #name))) return;
  FUNCTIONS(FIND)
#undef FIND
  is_loaded = curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

struct drawml_transfer {
  CURL *easy;
  CURLM *multi;
  // Null without any.
  struct curl_slist *headers;
  // What came and was not taken yet.
  uint8_t *bytes;
  size_t count, capacity;
  // The bytes of its headers and trailers, which libcurl keeps.
  size_t header_bytes;
  enum drawml_reach reach;
  int is_out_of_reach;
  // Once it is complete.
  int is_complete;
  CURLcode result;
  CURLMcode trouble;
  char error[CURL_ERROR_SIZE];
};

static size_t take(char *bytes, size_t one, size_t count, void *context) {
  (void)one;
  struct drawml_transfer *transfer = context;
  size_t needed = transfer->count + count;
  if (needed > transfer->capacity) {
    uint8_t *larger = realloc(transfer->bytes, 2 * needed);
    if (!larger) return 0;
    transfer->bytes = larger;
    transfer->capacity = 2 * needed;
  }
  memcpy(transfer->bytes + transfer->count, bytes, count);
  transfer->count = needed;
  return count;
}

static size_t take_header(char *bytes, size_t one, size_t count, void *context) {
  (void)bytes;
  struct drawml_transfer *transfer = context;
  transfer->header_bytes += one * count;
  return transfer->header_bytes <= 256 << 10 ? one * count : 0;
}

static curl_socket_t open_socket(
  void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)purpose;
  struct drawml_transfer *transfer = context;
  if (!drawml_reach_has(transfer->reach, &address->addr)) {
    transfer->is_out_of_reach = 1;
    return CURL_SOCKET_BAD;
  }
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Adds the lines of a text as headers.
static int add_headers(struct drawml_transfer *transfer, const char *lines) {
  char *text = strdup(lines);
  if (!text) return 0;
  int is_done = 1;
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    struct curl_slist *longer = curl.curl_slist_append(transfer->headers, line);
    if (!longer) {
      is_done = 0;
      break;
    }
    transfer->headers = longer;
  }
  free(text);
  return is_done;
}

static int set_up(
  struct drawml_transfer *transfer, const char *url, const char *agent, const char *range,
  const char *headers, const uint8_t *body, size_t body_count, long connect_seconds,
  long silence_seconds) {
  transfer->easy = curl.curl_easy_init();
  transfer->multi = curl.curl_multi_init();
  if (!transfer->easy || !transfer->multi) return 0;
  if (headers && !add_headers(transfer, headers)) return 0;
  int failures = 0;
#define SET(option, value) \
  failures += curl.curl_easy_setopt(transfer->easy, option, value) != CURLE_OK
  SET(CURLOPT_ERRORBUFFER, transfer->error);
  SET(CURLOPT_URL, url);
  SET(CURLOPT_PROTOCOLS_STR, "http,https");
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  SET(CURLOPT_PROXY, "");
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  SET(CURLOPT_USERAGENT, agent);
  SET(CURLOPT_RANGE, range);
  SET(CURLOPT_HTTPHEADER, transfer->headers);
  SET(CURLOPT_CONNECTTIMEOUT, connect_seconds);
  SET(CURLOPT_LOW_SPEED_LIMIT, 1L);
  SET(CURLOPT_LOW_SPEED_TIME, silence_seconds);
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
  SET(CURLOPT_OPENSOCKETDATA, transfer);
  SET(CURLOPT_WRITEFUNCTION, take);
  SET(CURLOPT_WRITEDATA, transfer);
  SET(CURLOPT_HEADERFUNCTION, take_header);
  SET(CURLOPT_HEADERDATA, transfer);
  if (body) {
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body_count);
    SET(CURLOPT_COPYPOSTFIELDS, body);
  }
#undef SET
  // Ending a transfer must not wait for the thread that asks the name server: that may take half a
  // minute. The thread frees what it has when it is done. libcurl has this since 7.87.
  (void)curl.curl_easy_setopt(transfer->easy, CURLOPT_QUICK_EXIT, 1L);
  return failures == 0
    && curl.curl_multi_add_handle(transfer->multi, transfer->easy) == CURLM_OK;
}

struct drawml_transfer *drawml_transfer_start(
  const char *url, const char *agent, const char *range, const char *headers,
  const uint8_t *body, size_t body_count, enum drawml_reach reach, long connect_seconds,
  long silence_seconds) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  if (!is_loaded) return NULL;
  struct drawml_transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  transfer->reach = reach;
  if (!set_up(
        transfer, url, agent, range, headers, body, body_count, connect_seconds,
        silence_seconds)) {
    drawml_transfer_close(transfer);
    return NULL;
  }
  return transfer;
}

enum drawml_transfer_event drawml_transfer_next(
  struct drawml_transfer *transfer, const uint8_t **bytes, size_t *count) {
  *bytes = NULL;
  *count = 0;
  transfer->count = 0;
  if (!transfer->is_complete) {
    int running = 0;
    transfer->trouble = curl.curl_multi_perform(transfer->multi, &running);
    if (transfer->trouble == CURLM_OK && running && transfer->count == 0) {
      transfer->trouble = curl.curl_multi_poll(transfer->multi, NULL, 0, 250, NULL);
      if (transfer->trouble == CURLM_OK) {
        transfer->trouble = curl.curl_multi_perform(transfer->multi, &running);
      }
    }
    if (transfer->trouble != CURLM_OK) return drawml_transfer_failed;
    int left = 0;
    CURLMsg *message = curl.curl_multi_info_read(transfer->multi, &left);
    if (message && message->msg == CURLMSG_DONE) {
      transfer->is_complete = 1;
      transfer->result = message->data.result;
    }
  }
  if (transfer->count > 0) {
    *bytes = transfer->bytes;
    *count = transfer->count;
    return drawml_transfer_bytes;
  }
  if (!transfer->is_complete) return drawml_transfer_nothing_yet;
  return transfer->result == CURLE_OK ? drawml_transfer_end : drawml_transfer_failed;
}

long drawml_transfer_status(struct drawml_transfer *transfer) {
  long status = 0;
  curl.curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

const char *drawml_transfer_header(struct drawml_transfer *transfer, const char *name) {
  struct curl_header *header = NULL;
  return curl.curl_easy_header(transfer->easy, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK
    ? header->value : NULL;
}

const char *drawml_transfer_error(struct drawml_transfer *transfer) {
  return transfer->error[0] ? transfer->error : curl.curl_easy_strerror(transfer->result);
}

enum drawml_transfer_failure drawml_transfer_failure(struct drawml_transfer *transfer) {
  curl_off_t asked = 0;
  curl.curl_easy_getinfo(transfer->easy, CURLINFO_PRETRANSFER_TIME_T, &asked);
  if (asked == 0) {
    return transfer->is_out_of_reach ? drawml_transfer_out_of_reach : drawml_transfer_unreachable;
  }
  return transfer->result == CURLE_OPERATION_TIMEDOUT
    ? drawml_transfer_silent : drawml_transfer_cut;
}

void drawml_transfer_close(struct drawml_transfer *transfer) {
  if (transfer->multi && transfer->easy) {
    curl.curl_multi_remove_handle(transfer->multi, transfer->easy);
  }
  if (transfer->easy) curl.curl_easy_cleanup(transfer->easy);
  if (transfer->multi) curl.curl_multi_cleanup(transfer->multi);
  curl.curl_slist_free_all(transfer->headers);
  free(transfer->bytes);
  free(transfer);
}

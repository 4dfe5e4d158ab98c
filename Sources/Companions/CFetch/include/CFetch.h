#ifndef DRAWML_CFETCH_H
#define DRAWML_CFETCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#pragma clang assume_nonnull begin

/// What a server answers, as it comes, by libcurl.
///
/// libcurl is loaded with the first transfer: linked, it and its twenty libraries would be loaded
/// by every command. A transfer asks one address, sends and keeps no cookies, uses no proxy and
/// follows no redirection. It is used by one thread at a time.
struct drawml_transfer;

/// What comes next of a transfer.
enum drawml_transfer_event {
  drawml_transfer_bytes,
  drawml_transfer_nothing_yet,
  drawml_transfer_end,
  drawml_transfer_failed,
};

/// Why a transfer failed.
enum drawml_transfer_failure {
  /// No connection was made.
  drawml_transfer_unreachable,
  /// Requests to the address are not allowed.
  drawml_transfer_out_of_reach,
  /// Nothing came for too long.
  drawml_transfer_silent,
  /// The connection ended early, or what came is not HTTP, or has 256 KiB of headers.
  drawml_transfer_cut,
};

/// The machines that may be asked, by the address that a connection is made to: a name may lead to
/// any.
enum drawml_reach {
  drawml_reach_all,
  /// The internet, without the blocks that IANA lists as private or special (RFC 6890).
  drawml_reach_public,
  /// This machine.
  drawml_reach_loopback,
};

/// Whether a machine may be asked; anything but IPv4 and IPv6 may not.
int drawml_reach_has(enum drawml_reach reach, const struct sockaddr *address);

/// Starts a transfer.
///
/// - url: An address of HTTP or HTTPS.
/// - agent: The program's name, for the server.
/// - range: The bytes to ask for, such as "5-"; null for all.
/// - headers: More headers, a line each, such as "If-Range: \"a\""; null without any.
/// - body, body_count: What is sent, by POST; null to get something. It is copied.
/// - reach: The machines that may be asked.
/// - connect_seconds, silence_seconds: How long to wait for a connection, and for the next bytes.
/// - Returns: Null where libcurl cannot be loaded or memory is short.
struct drawml_transfer *_Nullable drawml_transfer_start(
  const char *url, const char *agent, const char *_Nullable range,
  const char *_Nullable headers, const uint8_t *_Nullable body, size_t body_count,
  enum drawml_reach reach, long connect_seconds, long silence_seconds);

/// Waits for up to a quarter of a second. Bytes are valid until the next call.
enum drawml_transfer_event drawml_transfer_next(
  struct drawml_transfer *transfer, const uint8_t *_Nullable *_Nonnull bytes, size_t *count);

/// The status of the answer; 0 until there is one.
long drawml_transfer_status(struct drawml_transfer *transfer);

/// A header of the answer; null if it has none of that name. Valid until the next call.
const char *_Nullable drawml_transfer_header(struct drawml_transfer *transfer, const char *name);

/// What failed, in libcurl's words.
const char *drawml_transfer_error(struct drawml_transfer *transfer);

/// Which kind of failure it is.
enum drawml_transfer_failure drawml_transfer_failure(struct drawml_transfer *transfer);

/// Ends a transfer, also one that is not complete; waits for nothing.
void drawml_transfer_close(struct drawml_transfer *transfer);

#pragma clang assume_nonnull end

#endif

internal import Files
internal import Foundation
internal import Logging

/// A log on standard error, a line per entry. Control characters from requests are escaped.
struct ErrorLog: LogHandler {
  var logLevel = Logger.Level.error
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let details = metadata.merging(event.metadata ?? [:]) { $1 }
      .sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    let reason = event.error.map { ": \($0)" } ?? ""
    let line = "\(Date.now.formatted(.iso8601)) \(event.level): \(event.message)\(reason)\(details)"
    // The studio continues if its log cannot be written.
    try? StandardStream.errors.write([line])
  }
}

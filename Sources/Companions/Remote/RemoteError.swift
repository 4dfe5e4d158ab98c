public import Files
public import Text

/// Why something could not be fetched, and what to do.
public enum RemoteError: DescribedError, Equatable {
  /// An address that is not fetched from, such as plain HTTP of another machine.
  case address(String, String)
  /// A name that is no label of Quick, Draw!.
  case label(String)
  /// There is no such label at the address.
  case unknownLabel(String, url: String)
  /// The server refuses, or has trouble.
  case status(Int, url: String)
  /// The machine is one of the local network, which is not asked, or not this one.
  case outOfReach(url: String)
  /// The server sends the request to another one.
  case redirect(url: String, to: String)
  /// The server sends the request from address to address.
  case redirectedTooOften(url: String)
  /// There is no libcurl.
  case noClient
  /// No connection; the text is libcurl's.
  case unreachable(url: String, String)
  /// Nothing came for too long.
  case silent(url: String, seconds: Int)
  /// The whole file took too long.
  case slow(url: String, seconds: Int)
  /// The connection ended early.
  case cut(url: String)
  /// A line, from 1, that is not a drawing of the label.
  case line(Int, url: String, String)
  /// The file with the drawings of a label exceeds the limit.
  case tooLong(url: String, limit: Int)
  /// A file has more bytes than are taken.
  case tooLarge(url: String, limit: Int)
  /// A file of the name of a label that this command did not write so.
  case foreign(path: String)
  /// Another process fetches into the folder.
  case busy(folder: String)
  /// A file here cannot be read or written.
  case file(FileError)

  /// One sentence for people: what, where, and what to do.
  public var description: String {
    switch self {
    case .address(let text, let why): "cannot fetch from \(text.prefix(200)): \(why)"
    case .label(let label):
      "\"\(label)\" is no label of Quick, Draw!: these have letters, digits, spaces, ' and -"
    case .unknownLabel(let label, let url):
      "there is no label \"\(label)\" at \(url); labels are written as in the game, such as cat or "
        + "ice cream"
    case .status(let code, let url):
      "the server answers \(code) for \(url)"
        + (code >= 500 || code == 429 ? "; \(Self.again)" : "; check the address")
    case .redirect(let url, let target):
      "\(url) leads to \(target.prefix(200)), another server; if you trust it, "
        + "give its address"
    case .outOfReach(let url):
      "\(url) is on the local network, where drawml fetches no pictures"
    case .redirectedTooOften(let url):
      "\(url) redirects too often; check the address"
    case .noClient: "libcurl, which connects to servers, is missing: install libcurl4"
    case .unreachable(let url, let why):
      "cannot reach the server of \(url): \(why); check the network, and \(Self.again)"
    case .silent(let url, let seconds):
      "nothing came from \(url) for \(seconds) seconds; \(Self.again)"
    case .slow(let url, let seconds):
      "\(url) did not arrive completely in \(seconds) seconds; \(Self.again)"
    case .cut(let url): "the connection ended within \(url); \(Self.again)"
    case .line(let line, let url, let why):
      "line \(line) of \(url): \(why); what came before it is kept"
    case .tooLong(let url, let limit):
      "\(url) has more than \(limit >> 20) MiB; name fewer drawings with --limit"
    case .tooLarge(let url, let limit):
      "\(url) has more than \(limit >> 20) MB; give a smaller file"
    case .foreign(let path):
      "\(path) was not written by this command with the same --from and --all; move it away, or "
        + "choose another folder"
    case .busy(let folder): "another drawml is downloading into \(folder); wait for it"
    case .file(let error): error.description
    }
  }

  private static let again = "try again"
}

internal import ArgumentParser
internal import Files
internal import Studio

/// `--tls`: a certificate's file and its key's.
struct TLSFiles: ExpressibleByArgument {
  let certificate: String
  let key: String

  init?(argument: String) {
    let paths = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard paths.count == 2, paths.allSatisfy({ !$0.isEmpty }) else { return nil }
    (certificate, key) = (String(paths[0]), String(paths[1]))
  }

  func read() throws(FileError) -> TLSIdentity {
    try TLSIdentity(certificate: certificate, key: key)
  }
}

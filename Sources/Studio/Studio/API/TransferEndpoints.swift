internal import Files
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Workspace

// Export and import of models.

/// The suggested name of an exported file.
struct ExportName {
  /// The name, of characters that every file system accepts.
  let text: String

  /// The maximum number of characters of a model's name in it.
  private static let most = 60

  /// Creates the name from a model's name; nil for a file of several models.
  init(of model: String?) {
    let characters = (model ?? "").prefix(Self.most).map { character -> Character in
      let isUsual = character.isLetter || character.isNumber || "-_()+,".contains(character)
      let isPicture = character.unicodeScalars.contains { $0.properties.isEmoji && !$0.isASCII }
      // Emoji modifiers combine with any preceding character.
      let hasMark = character.unicodeScalars.contains { scalar in
        scalar.isASCII && !scalar.properties.isAlphabetic && scalar.properties.numericType == nil
          && !"-_()+,".unicodeScalars.contains(scalar)
      }
      return (isUsual || isPicture) && !hasMark ? character : "-"
    }
    let words = String(characters).split(separator: "-").joined(separator: "-")
    text = (words.isEmpty ? "drawml-models" : words) + ".drawmlx"
  }

  /// The value of Content-Disposition: once in ASCII, for old clients, and once in UTF-8 (RFC
  /// 6266).
  var disposition: String {
    let plain = text.unicodeScalars.map { $0.isASCII ? Character($0) : "_" }
    let encoded = text.utf8.map { byte in
      UnicodeScalar(byte).isASCII && CharacterSet.alphanumerics.contains(UnicodeScalar(byte))
        || "-_.".utf8.contains(byte)
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return "attachment; filename=\"\(String(plain))\"; filename*=UTF-8''\(encoded.joined())"
  }
}

extension Studio {
  var transferEndpoints: [Endpoint] {
    [
      .get("/export") { call in
        let models = call.queries("model")
        let name = models.count == 1 ? try await workspace.model(models[0]).name : nil
        let folder = try PrivateTemporaryFolder()
        let report = try await workspace.export(
          models: models.isEmpty ? nil : models, to: folder.file)
        return Response(
          status: .ok,
          headers: [
            .contentType: "application/octet-stream",
            .contentDisposition: ExportName(of: name).disposition,
          ],
          body: .init(contentLength: report.bytes) { writer in
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.file))
            while let part = try handle.read(upToCount: 256 << 10), !part.isEmpty {
              try await writer.write(ByteBuffer(bytes: part))
            }
            try handle.close()
            try await writer.finish(nil)
          })
      },
      .post("/import") { call in
        let report = try await imports.run {
          let folder = try await received(call.request)
          defer { withExtendedLifetime(folder) {} }
          return try await workspace.import(from: folder.file)
        }
        // Sent even if no model was added: the import may have changed the settings.
        tell(.models)
        return try .json(report)
      },
    ]
  }

  /// Writes the body to a file, since imports may be too large for memory.
  private func received(_ request: Request) async throws -> PrivateTemporaryFolder {
    guard request.mediaType == "application/octet-stream" else {
      throw StudioError.wrongContentType(
        "The body must be an exported file, of the content type application/octet-stream.")
    }
    let most = limits.importBytes
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > most {
      throw StudioError.tooLarge("The file has \(length) bytes; at most \(most) are accepted.")
    }
    let folder = try PrivateTemporaryFolder()
    guard
      FileManager.default.createFile(
        atPath: folder.file, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw WorkspaceError(.import, .readOnly) }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file))
    defer { try? handle.close() }
    try await request.receive(at: limits.minimumImportRate, time) { part, total in
      guard total <= most else {
        throw StudioError.tooLarge("The file has more than \(most) bytes.")
      }
      do { try handle.write(contentsOf: Array(buffer: part)) } catch let error as CocoaError
        where error.code == .fileWriteOutOfSpace
      { throw WorkspaceError(.import, .diskFull) }
    }
    return folder
  }
}

extension PrivateTemporaryFolder {
  /// The exported file in it.
  fileprivate var file: String { path + "/models" }
}

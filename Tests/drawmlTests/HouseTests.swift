import Foundation
import TestTools
import Testing

@Suite("The rings of the house")
struct HouseTests {
  /// The rings, from the inside out.
  private static let rings = ["Kit", "Toolkit", "Studio", "Companions", "Lab"]

  /// A room, where it lies, and what of ours it imports.
  private struct Room {
    let name: String
    /// The number of its ring; for the program the number of rings.
    let ring: Int
    /// The rooms whose modules or files it has.
    let imports: Set<String>
  }

  /// The rooms that the folders show.
  private static func rooms() throws -> [Room] {
    let sources = URL(fileURLWithPath: Repository.path + "/Sources").standardizedFileURL.path
    func folders(in folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
    var places = [("drawml", rings.count, sources + "/drawml")]
    for (number, ring) in rings.enumerated() {
      places += try folders(in: "\(sources)/\(ring)").map {
        ($0, number, "\(sources)/\(ring)/\($0)")
      }
    }
    let names = Set(places.map(\.0))
    return try places.map { name, ring, folder in
      var imports: Set<String> = []
      let files = try #require(FileManager.default.enumerator(atPath: folder))
      for case let file as String in files {
        let path = "\(folder)/\(file)"
        if file.hasSuffix(".swift") {
          let text = try String(contentsOfFile: path, encoding: .utf8)
          for match in text.matches(of: #/(?m)^ *(?:@\w+ )?(?:\w+ )?import (\w+)$/#) {
            imports.insert(String(match.1))
          }
        } else if file.hasSuffix(".c") || file.hasSuffix(".h") {
          let (text, base) = (
            try String(contentsOfFile: path, encoding: .utf8), URL(fileURLWithPath: path)
          )
          for match in text.matches(of: #/(?m)^#(?:embed|include) "([^"]+)"/#) {
            let carried = URL(fileURLWithPath: String(match.1), relativeTo: base)
              .standardizedFileURL.path
            if let room = places.first(where: { carried.hasPrefix($0.2 + "/") }) {
              imports.insert(room.0)
            }
          }
        }
      }
      return Room(name: name, ring: ring, imports: imports.intersection(names).subtracting([name]))
    }
  }

  @Test("A room has modules and files of its own ring and of rings further in, never further out")
  func arrows() throws {
    let rooms = try Self.rooms()
    #expect(rooms.count > 25)
    #expect(rooms.first { $0.name == "CPage" }?.imports == ["Studio"], "what it embeds")
    let ringOf = Dictionary(uniqueKeysWithValues: rooms.map { ($0.name, $0.ring) })
    for room in rooms {
      let outwards = room.imports.filter { ringOf[$0, default: 0] > room.ring }
      #expect(
        outwards.isEmpty, "\(room.name) has parts of \(outwards.sorted()), which lie further out")
    }
  }

  @Test("No one further in imports a companion, and the lab is imported by the program alone")
  func guests() throws {
    let rooms = try Self.rooms()
    for guest in rooms where (3...4).contains(guest.ring) {
      let users = rooms.filter { $0.imports.contains(guest.name) && $0.ring != guest.ring }
      #expect(users.allSatisfy { $0.name == "drawml" }, "\(guest.name): \(users.map(\.name))")
    }
  }

  @Test("The kit reads no pictures, no XML and no network, and its product is the kit alone")
  func kit() throws {
    let rooms = try Self.rooms()
    let kit = rooms.filter { $0.ring == 0 }.map(\.name)
    for library in ["CPNG", "CJPEG", "CExpat", "CFetch", "CQRCode"] {
      #expect(!kit.contains(library))
    }
    let package = try String(
      contentsOfFile: Repository.path + "/Package.swift", encoding: .utf8)
    let product = try #require(
      package.firstMatch(of: #/name: "DrawMLKit", targets: \[([^\]]*)\]/#))
    let targets = product.1.matches(of: #/"(\w+)"/#).map { String($0.1) }
    #expect(!targets.isEmpty && targets.allSatisfy(kit.contains))
  }

  @Test("Package.swift gives each room what it imports, and nothing else")
  func declarations() throws {
    let package = try String(
      contentsOfFile: Repository.path + "/Package.swift", encoding: .utf8)
    let rooms = try Self.rooms()
    let names = Set(rooms.map(\.name))
    for room in rooms where !room.name.hasPrefix("C") || room.name == "CInterface" {
      let start = try #require(
        package.firstRange(of: try Regex("(?:room\\(|Target\\()\\s*(?:name: )?\"\(room.name)\",")),
        "\(room.name)")
      let rest = package[start.upperBound...]
      let end = rest.firstRange(of: "Ring.")?.lowerBound ?? rest.endIndex
      let declaration = rest[..<end]
      let list = try #require(
        declaration.firstMatch(of: #/(?:imports|dependencies): \[([^\]]*)\]/#), "\(room.name)")
      let declared = Set(list.1.matches(of: #/"(\w+)"/#).map { String($0.1) })
        .intersection(names)
      #expect(declared == room.imports, "\(room.name)")
    }
  }
}

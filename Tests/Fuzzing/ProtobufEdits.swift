/// Changes the fields of a protocol buffer, so that the lengths around them stay right.
///
/// Encoding: protobuf.dev/programming-guides/encoding. What might be a message is taken for one.
enum ProtobufEdits {
  private indirect enum Value {
    case varint(UInt64)
    case fixed([UInt8])
    case bytes([UInt8])
    case message([Field])
  }

  private struct Field {
    var number: UInt64
    var value: Value
  }

  /// The buffer after the changes that `script` says.
  static func apply(_ script: inout EditScript, to buffer: [UInt8]) -> [UInt8] {
    guard var fields = parse(buffer[...], depth: 0) else { return buffer }
    var edits = 0
    while !script.isEmpty, edits < 16 {
      edits += 1
      edit(&fields, &script)
    }
    return encode(fields)
  }

  private static func edit(_ fields: inout [Field], _ script: inout EditScript) {
    guard !fields.isEmpty else { return }
    let index = script.choice(fields.count)
    if case .message(var inner) = fields[index].value, script.byte() < 200, !inner.isEmpty {
      edit(&inner, &script)
      fields[index].value = .message(inner)
      return
    }
    switch script.choice(6) {
    case 0: fields.remove(at: index)
    case 1: fields.insert(fields[index], at: index)
    case 2: fields[index].number = script.number() & 0xffff
    case 3: fields[index].value = .varint(script.number())
    case 4: fields[index].value = .bytes(script.text(40))
    default:
      switch fields[index].value {
      case .varint: fields[index].value = .varint(script.number())
      case .bytes(let bytes):
        fields[index].value = .bytes(Array(bytes.prefix(script.choice(bytes.count + 1))))
      default: fields.swapAt(index, script.choice(fields.count))
      }
    }
  }

  private static func parse(_ buffer: ArraySlice<UInt8>, depth: Int) -> [Field]? {
    var rest = buffer
    var fields: [Field] = []
    while !rest.isEmpty {
      guard let key = varint(&rest), key >> 3 > 0 else { return nil }
      switch key & 7 {
      case 0:
        guard let number = varint(&rest) else { return nil }
        fields.append(Field(number: key >> 3, value: .varint(number)))
      case 1, 5:
        let length = key & 7 == 1 ? 8 : 4
        guard rest.count >= length else { return nil }
        fields.append(Field(number: key >> 3, value: .fixed(Array(rest.prefix(length)))))
        rest = rest.dropFirst(length)
      case 2:
        guard let length = varint(&rest), length <= UInt64(rest.count) else { return nil }
        let body = rest.prefix(Int(length))
        rest = rest.dropFirst(Int(length))
        let inner = depth < 12 && !body.isEmpty ? parse(body, depth: depth + 1) : nil
        fields.append(
          Field(number: key >> 3, value: inner.map { .message($0) } ?? .bytes(Array(body))))
      default: return nil
      }
    }
    return fields
  }

  private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }

  private static func encode(_ fields: [Field]) -> [UInt8] {
    fields.flatMap { field in
      switch field.value {
      case .varint(let number): varint(field.number << 3) + varint(number)
      case .fixed(let bytes): varint(field.number << 3 | (bytes.count == 8 ? 1 : 5)) + bytes
      case .bytes(let bytes): varint(field.number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
      case .message(let inner):
        {
          let body = encode(inner)
          return varint(field.number << 3 | 2) + varint(UInt64(body.count)) + body
        }()
      }
    }
  }

  private static func varint(_ number: UInt64) -> [UInt8] {
    var (bytes, rest) = ([UInt8](), number)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}

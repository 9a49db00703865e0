import CarryoverSystem

/// A file name or a path with parameters: `<bundle id>.analytics.<write key>`.
///
/// A parameter's value becomes part of a file name. A value that is not valid there is neither inserted nor found.
package struct NameTemplate: Hashable, Sendable, ExpressibleByArrayLiteral {
  package enum Part: Hashable, Sendable, ExpressibleByStringLiteral {
    case text(String)
    case parameter(String)

    package static let bundleID = Part.parameter(NameTemplate.bundleID)
    package init(stringLiteral text: String) { self = .text(text) }
  }

  /// The parameter for the bundle identifier, known for every container of a known app.
  package static let bundleID = "bundle-id"
  /// The name of the app's own suite, its bundle identifier.
  package static let app: NameTemplate = [.bundleID]

  package let parts: [Part]
  /// The maximum length of a name on common file systems, in bytes.
  private static let longestName = 255

  package init(arrayLiteral parts: Part...) { self.parts = parts }
  package init(_ parts: [Part]) { self.parts = parts }

  /// The parameters besides the bundle identifier, without duplicates, in order.
  package var parameters: [String] {
    parts.reduce(into: []) { found, part in
      if case .parameter(let name) = part, name != Self.bundleID, !found.contains(name) { found.append(name) }
    }
  }

  package var fileName: NameTemplate {
    var name: [Part] = []
    for part in parts.reversed() {
      guard case .text(let text) = part, let slash = text.utf8.lastIndex(of: FilePath.slash) else {
        name.insert(part, at: 0)
        continue
      }
      let rest = String(text[text.utf8.index(after: slash)...])
      return NameTemplate((rest.isEmpty ? [] : [.text(rest)]) + name)
    }
    return self
  }

  /// The name with its values; nil if one is missing or not valid in a file name.
  package func name(_ values: [String: String]) -> String? {
    var name = ""
    for part in parts {
      switch part {
      case .text(let text): name += text
      case .parameter(let parameter):
        guard let value = values[parameter], Self.isValid(value, for: parameter) else { return nil }
        name += value
      }
    }
    return name
  }

  /// Every set of values that gives this name, the one with the shortest first value first.
  ///
  /// There can be several, because a value can contain the text between two parameters.
  package func readings(of name: some StringProtocol) -> [[String: String]] {
    let bytes = Array(name.utf8)
    return bytes.count > Self.longestName ? [] : Self.readings(of: bytes[...], as: parts[...])
  }

  /// Whether some values could give this name. Unlike ``readings(of:)``, it does not find them out, so the number of
  /// parameters hardly matters.
  package func matches(_ name: String) -> Bool {
    // Every file of a container is compared with every template, and most differ in the first folder.
    if case .text(let text)? = parts.first, !name.beginsWithBytes(of: text) { return false }
    let bytes = Array(name.utf8)
    var ends: Set<Int> = [0]
    for part in parts where !ends.isEmpty {
      switch part {
      case .text(let text):
        ends = Set(ends.filter { bytes[$0...].starts(with: text.utf8) }.map { $0 + text.utf8.count })
      case .parameter:
        var next: Set<Int> = []
        for start in ends {
          var end = start
          while end < bytes.count, bytes[end] != FilePath.slash, !next.contains(end + 1) {
            end += 1
            next.insert(end)
          }
        }
        ends = next
      }
    }
    return ends.contains(bytes.count)
  }

  package func readings(ofFileName name: String) -> [[String: String]] {
    name.hasSuffix(Self.fileExtension) ? readings(of: name.dropLast(Self.fileExtension.count)) : []
  }

  /// - Parameter known: the values of the parameters before. A parameter that occurs again has the same value.
  private static func readings(
    of bytes: ArraySlice<UInt8>, as parts: ArraySlice<Part>, _ known: [String: String] = [:]
  ) -> [[String: String]] {
    guard let part = parts.first else { return bytes.isEmpty ? [known] : [] }
    let others = parts.dropFirst()
    switch part {
    case .text(let text):
      return bytes.starts(with: text.utf8) ? readings(of: bytes.dropFirst(text.utf8.count), as: others, known) : []
    case .parameter(let parameter):
      if let value = known[parameter] {
        return bytes.starts(with: value.utf8) ? readings(of: bytes.dropFirst(value.utf8.count), as: others, known) : []
      }
      return (bytes.startIndex...bytes.endIndex).flatMap { end -> [[String: String]] in
        // The next text follows hardly any value.
        if case .text(let next)? = others.first, !bytes[end...].starts(with: next.utf8) { return [] }
        let value = String(decoding: bytes[..<end], as: UTF8.self)
        guard isValid(value, for: parameter) else { return [] }
        return readings(of: bytes[end...], as: others, known.merging([parameter: value]) { value, _ in value })
      }
    }
  }

  private static func isValid(_ value: String, for parameter: String) -> Bool {
    parameter == bundleID ? Container.isValidBundleID(value) : Container.isValidParameter(value)
  }

  package var words: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .any: "*"
      case .parameter(let name): "<" + String(name.map { $0 == "-" ? " " : $0 }) + ">"
      }
    }.joined()
  }

  package static let fileExtension = ".plist"
}

extension Container {
  /// Whether a text is a valid bundle identifier: letters, digits, `-`, `_` and single dots between them, all ASCII,
  /// with at most 155 characters, the App Store's limit.
  ///
  /// File names contain it, so Carryover refuses any other text, from any source.
  package static func isValidBundleID(_ text: String) -> Bool { isNamePart(text, limit: 155) }

  /// Whether a text is a valid value of a recipe's parameter: letters, digits, `-`, `_` and single dots between them,
  /// all ASCII, with at most 64 characters.
  ///
  /// File names contain it. With the longest bundle identifier, the file name of an analytics suite still has at most
  /// 255 bytes.
  package static func isValidParameter(_ text: String) -> Bool { isNamePart(text, limit: 64) }

  private static func isNamePart(_ text: String, limit: Int) -> Bool {
    guard !text.isEmpty, text.utf8.count <= limit else { return false }
    var afterDot = true
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "."):
        if afterDot { return false }
        afterDot = true
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        afterDot = false
      default: return false
      }
    }
    return !afterDot
  }
}

/// A file that a recipe reads or names, whatever its name is.
package struct StoreFile: Hashable, Sendable {
  package var path: NameTemplate
  package var table: KeyValueTable?
  /// Whether only its existence matters, not its content.
  package var isSign = false

  package init(_ path: NameTemplate, table: KeyValueTable? = nil, isSign: Bool = false) {
    self.path = path
    self.table = table
    self.isSign = isSign
  }
}

/// A table of a SQLite database with one column for keys and one for values.
package struct KeyValueTable: Hashable, Sendable {
  /// The name for display, which tells readings of other columns apart: `store`, or `store (k, v)`.
  package var label: String { key == "key" && value == "value" ? name : "\(name) (\(key), \(value))" }
  package var name: String
  package var key: String
  package var value: String

  package init(_ name: String, key: String, value: String) {
    self.name = name
    self.key = key
    self.value = value
  }
}

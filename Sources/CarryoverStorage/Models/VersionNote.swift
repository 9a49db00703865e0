import PropertyLists

/// A note that a migration writes before it replaces data with a version beside it: which bytes have which version. The
/// two cannot be written atomically. With the note, the write of the data changes the version too; the number is
/// updated afterwards or, after a crash, at the next launch.
struct VersionNote: Equatable {
  /// Data and its version.
  struct Side: Equatable {
    var data: [UInt8]
    /// Nil if the version is unknown.
    var version: Int?
  }

  /// The old data; nil if there was none.
  var old: Side?
  /// The new data.
  var new: Side

  init(old: Side?, new: Side) {
    self.old = old
    self.new = new
  }

  /// Decodes a note; nil if the bytes are not a note.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONText(bytes: bytes).value, value[Self.form]?.numberValue?.int64 == 1,
      let new = Self.side(value["new"])
    else { return nil }
    self.new = new
    old = Self.side(value["old"])
  }

  var bytes: [UInt8] {
    let members =
      [JSONMember(Self.form, JSONValue(1))] + (old.map { [JSONMember("old", Self.json($0))] } ?? [])
      + [JSONMember("new", Self.json(new))]
    return Array(JSONValue.object(members).text().utf8)
  }

  private static func side(_ value: JSONValue?) -> Side? {
    guard let data = value?["data"]?.stringValue.flatMap(Base64.bytes) else { return nil }
    return Side(data: data, version: value?["version"]?.numberValue?.int64.flatMap(Int.init(exactly:)))
  }

  private static func json(_ side: Side) -> JSONValue {
    let version = side.version.map { [JSONMember("version", JSONValue($0))] } ?? []
    return .object([JSONMember("data", .string(Base64.text(side.data)))] + version)
  }

  private static let form = "carryoverVersionNote"

  /// The name of the note about data under a name.
  static func name(for data: String) -> String { NameStem.of(data) + ".carryover-version" }
}

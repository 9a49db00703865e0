import PropertyLists

/// What a migration writes down before it replaces data whose version is beside it, since the two cannot be written at
/// once: which bytes are of which version. So the write of the data changes the version, too, and the number is brought up
/// to it afterwards, after a crash by the next start.
struct VersionNote: Equatable {
  /// Data, and the version it is of.
  struct Side: Equatable {
    var data: [UInt8]
    /// Nil where the version is not known.
    var version: Int?
  }

  /// What is replaced; nil where there was nothing.
  var old: Side?
  /// What takes its place, and its version.
  var new: Side

  init(old: Side?, new: Side) {
    self.old = old
    self.new = new
  }

  /// A note from its bytes; nil where they are none.
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

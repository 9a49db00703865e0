import CarryoverSystem
import PropertyLists

/// What a complete audit says of itself, in a file beside its rows: so that rows which were cut off or edited are noticed.
struct AuditSeal {
  /// How many inputs the search found, those of other shards too, and a digest over their paths.
  var inputs = 0
  var walk = ""
  /// How many rows there are, and a digest over them.
  private(set) var rows = 0
  private var digest: [UInt8] = []

  private static let schema = "carryover.audit-seal/1"
  private static let name = "complete.json"

  init() {}

  /// The seal of an audit of all inputs that were found, before its rows.
  init(_ found: AuditInputs) { (inputs, walk) = (found.count, found.digest) }

  /// The seal of an audit that is merged from shards with such a seal, before its rows.
  init(mergedFrom shard: AuditSeal) { (inputs, walk) = (shard.inputs, shard.walk) }

  /// The digest over the rows, as text.
  var rowDigest: String { digest.hexadecimal }

  /// Whether it is of the same rows.
  func hasSameRows(as other: AuditSeal) -> Bool { rows == other.rows && digest == other.digest }

  /// Adds the next row.
  mutating func add(_ row: [UInt8]) {
    rows += 1
    digest = SHA256.digest(digest + row)
  }

  /// Writes it into the folder of the audit.
  func write(to folder: String) throws {
    let document = JSONValue.object([
      JSONMember("schema", .string(Self.schema)), JSONMember("inputs", JSONValue(inputs)),
      JSONMember("walk", .string(walk)), JSONMember("rows", JSONValue(rows)),
      JSONMember("digest", .string(digest.hexadecimal)),
    ])
    var files = DurableFiles(POSIXFileSystem())
    try files.replace(FilePath.join(folder, Self.name), with: Array((document.text() + "\n").utf8))
  }

  /// The seal of the audit in a folder; nil if the audit is not complete.
  /// - Throws: a failure if it cannot be read.
  init?(of folder: String) throws {
    guard let document = try AuditParts.document(named: Self.name, in: folder) else { return nil }
    func number(_ name: String) -> Int? {
      document[name]?.numberValue?.int64.flatMap { Int(exactly: $0) }.flatMap { $0 < 0 ? nil : $0 }
    }
    guard document["schema"]?.stringValue == Self.schema, let inputs = number("inputs"), let rows = number("rows"),
      let walk = document["walk"]?.stringValue, let hexadecimal = document["digest"]?.stringValue,
      let digest = [UInt8](hexadecimal: hexadecimal[...])
    else { throw AuditParts.damaged(FilePath.join(folder, Self.name)) }
    (self.inputs, self.walk, self.rows, self.digest) = (inputs, walk, rows, digest)
  }
}

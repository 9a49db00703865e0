/// Joins the containers of two audits: by their paths, and those whose path only one audit has by their content.
///
/// The old audit is read first, then the new one container by container. Of a container it keeps a few numbers, about 100
/// bytes.
package struct AuditJoin {
  private let file: AuditRowFile
  private var results: [AuditResult: Int32] = [:]
  private var fieldNames: [String] = []
  private var knownFields: Set<String> = []
  private var old: [Old] = []
  /// The places of the old containers, by their paths.
  private var places: [UInt64: Int] = [:]
  private var pairs: [Pair: Paired] = [:]
  /// The new containers whose path the old audit does not have.
  private var unpaired: [New] = []
  private var diff = AuditDiff()

  private struct Old {
    var result: Int32
    var content: UInt64?
    var isPaired = false
  }

  private struct New {
    /// Its place in the new audit, from 1.
    var place: Int
    var name: String
    var result: Int32
    var content: UInt64?
  }

  private struct Pair: Hashable {
    var old: Int32
    var new: Int32
  }

  private struct Paired {
    /// The place of the first in the new audit.
    var place: Int
    var count = 0
    var examples: [String] = []
  }

  /// Reads the old audit.
  /// - Throws: what ``AuditRowFile/forEachUnit(_:)`` throws.
  package init(old file: AuditRowFile) throws {
    self.file = file
    try file.forEachUnit { unit in
      let place = old.count
      old.append(Old(result: try result(unit), content: content(unit)))
      if let path = path(unit), places[path] == nil { places[path] = place }
    }
  }

  /// Adds a container of the new audit.
  /// - Throws: ``DamagedRow`` for more different fields than an audit can have.
  package mutating func add(_ unit: AuditUnit) throws(DamagedRow) {
    diff.new += 1
    let new = New(
      place: diff.new, name: unit.name, result: try result(unit), content: content(unit))
    guard let place = path(unit).flatMap({ places[$0] }), !old[place].isPaired else {
      unpaired.append(new)
      return
    }
    if old[place].content != new.content { diff.edited += 1 }
    pair(place, new)
  }

  /// What differs, once all containers are added.
  /// - Throws: what ``AuditRowFile/forEachUnit(_:)`` throws.
  package consuming func finish() throws -> AuditDiff {
    pairByContent()
    diff.old = old.count
    diff.fields = fieldNames.map { ($0, AuditDiff.FieldCount()) }
    let known = results.sorted { $0.value < $1.value }.map(\.key)
    // In the order of the new audit, so that examples are its first.
    for (pair, paired) in pairs.sorted(by: { $0.value.place < $1.value.place }) {
      diff.add(known[Int(pair.old)], known[Int(pair.new)], paired.count, examples: paired.examples)
    }
    let gone = old.indices.filter { !old[$0].isPaired }
    diff.add(.onlyOld, gone.count, try names(Set(gone.prefix(AuditTotals.mostExamples))))
    diff.add(.onlyNew, unpaired.count, unpaired.prefix(AuditTotals.mostExamples).map(\.name))
    return diff
  }

  private mutating func pair(_ place: Int, _ new: New) {
    old[place].isPaired = true
    let key = Pair(old: old[place].result, new: new.result)
    pairs[key, default: Paired(place: new.place)].count += 1
    if let count = pairs[key]?.examples.count, count < AuditTotals.mostExamples {
      pairs[key]?.examples.append(new.name)
    }
  }

  /// Joins what moved: equal content, in the order of both audits.
  private mutating func pairByContent() {
    var waiting: [UInt64: [Int]] = [:]
    for place in old.indices.reversed() where !old[place].isPaired {
      if let content = old[place].content { waiting[content, default: []].append(place) }
    }
    var rest: [New] = []
    for new in unpaired {
      guard let content = new.content, let place = waiting[content]?.popLast() else {
        rest.append(new)
        continue
      }
      diff.moved += 1
      pair(place, new)
    }
    unpaired = rest
  }

  /// The names of some old containers, which only the file has.
  private func names(_ places: Set<Int>) throws -> [String] {
    var names: [String] = []
    guard !places.isEmpty else { return names }
    var place = 0
    try file.forEachUnit { unit in
      if places.contains(place) { names.append(unit.name) }
      place += 1
    }
    return names
  }

  /// The number of a container's result.
  private mutating func result(_ unit: AuditUnit) throws(DamagedRow) -> Int32 {
    let result = AuditResult(unit)
    if let known = results[result] { return known }
    for field in result.fields where knownFields.insert(field.name).inserted { fieldNames.append(field.name) }
    guard fieldNames.count <= 10_000, let number = Int32(exactly: results.count) else {
      throw DamagedRow("there are more fields than an audit can have")
    }
    results[result] = number
    return number
  }

  /// What stands for the path. Of a container without a path and a content, only the number of its input is known.
  private func path(_ unit: AuditUnit) -> UInt64? {
    unit.path.map { hash($0) } ?? (unit.id == nil ? hash("\0\(unit.input)") : nil)
  }

  private func content(_ unit: AuditUnit) -> UInt64? { unit.id.map { hash($0) } }

  private func hash(_ text: String) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(text)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}

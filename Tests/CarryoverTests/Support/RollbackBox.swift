import Carryover
import CarryoverStorage
import CarryoverSystem
import PropertyLists
import Testing

/// The sample container in memory with a run that wrote four keys, and what an app makes of its target afterwards.
struct RollbackBox {
  let fileSystem: MemoryFileSystem
  let box: SampleBox
  let before: [UInt8]?
  var migrator: Migrator { SampleBox.migrator(fileSystem) }
  var container: Container { box.container }

  static let keys = ["anonymous_id", "session_id", "is_manual_session", "rudder.app_build"]

  /// - Parameters:
  ///   - held: what the target holds of the run's keys before it; they are replaced.
  init(target: PropertyListFormat?, held: [(String, PropertyListValue)] = []) throws {
    (fileSystem, box) = try MemoryFileSystem.sample(target: target)
    if let bytes = fileSystem.target, !held.isEmpty {
      let edits = held.map { PropertyListEdit.set($0.0, $0.1) }
      try box.put(SampleBox.targetPath, PropertyListDocument(bytes: bytes).editing(edits), 0o600)
    }
    before = fileSystem.target
    try apply()
  }

  init(copying other: RollbackBox) {
    fileSystem = MemoryFileSystem(copying: other.fileSystem)
    box = SampleBox.inMemory(fileSystem)
    before = other.before
  }

  /// Applies what the plan proposes; conflicts are replaced.
  @discardableResult
  func apply(_ decisions: Decisions = [:]) throws -> RunReport {
    try migrator.apply(box.plan(target: fileSystem.target), decisions: decisions, in: container, onConflict: .replace)
  }

  func edit(_ edits: PropertyListEdit...) throws {
    let bytes = try #require(fileSystem.target)
    try box.put(SampleBox.targetPath, PropertyListDocument(bytes: bytes).editing(edits), 0o644)
  }

  @discardableResult
  func rollback(
    _ only: [String]? = nil, of runID: String? = nil, decisions: [String: RollbackDecision] = [:],
    onConflict: ConflictPolicy = .fail
  ) throws -> RunReport {
    try migrator.rollback(
      migrator.rollbackPlan(in: container, runID: runID), only: only.map { Set($0.map(Self.place)) },
      decisions: Dictionary(decisions.map { (Self.place($0.key), $0.value) }, uniquingKeysWith: { first, _ in first }),
      onConflict: onConflict, in: container)
  }

  static func place(_ key: String) -> KeyPlace { KeyPlace(file: SampleBox.targetPath, key: key) }

  static func run(_ number: Int) -> String { "20251120T120500Z-\(number)" }

  var values: PropertyListDictionary? { fileSystem.target.flatMap { try? PropertyListDocument(bytes: $0).dictionary } }

  var held: [String] { Self.keys.filter { values?[$0] != nil } }

  func standings() throws -> [RunStanding] { try migrator.runs(in: container).map(\.standing) }
}

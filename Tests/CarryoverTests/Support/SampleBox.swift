@testable import Carryover

/// A container with one legacy store and, where asked for, a target that other code has keys in, and the plan for it.
struct SampleBox {
  static let sourcePath = "AppData/Library/Application Support/rsDefaultsPersistence.plist"
  static let targetPath = "AppData/Library/Preferences/com.acme.shop.analytics.KEY.plist"

  let root: String
  let put: (String, [UInt8], UInt32) throws -> Void

  /// What other code keeps in the target: every type both formats have.
  static let foreign: [(String, PropertyListValue)] = [
    ("other.string", "ünï\u{7}&<"),
    ("other.integer", -3),
    ("other.unsigned", .integer(PropertyListInteger(UInt64.max))),
    ("other.real", 1.5),
    ("other.true", true),
    ("other.one", 1),
    ("other.date", .date(PropertyListDate(secondsSince2001: 785_332_800))),
    ("other.data", .data([0, 255, 16])),
    ("other.array", ["a", 1, 1.0, true, []]),
    ("other.dictionary", ["b": ["c": .data([])], "a": 2]),
  ]

  static let binaryForeign: [(String, PropertyListValue)] = [
    ("other.single", .real(PropertyListReal(0.1, width: .single))),
    ("other.uid", .uid(7)),
    ("other.fraction", .date(PropertyListDate(secondsSince2001: 0.25))),
  ]

  static let legacy: [(String, PropertyListValue)] = [
    ("rl_anonymous_id", "9f1c2a7e-6b0d-4a1e-9c55-0d1f2a3b4c5d"),
    ("rl_session_id", 1_763_640_000),
    ("rl_session_auto_track_status", true),
    ("rl_application_build_key", "42"),
    ("com.acme.launches", 12),
  ]

  static func bytes(
    _ entries: [(String, PropertyListValue)], as format: PropertyListFormat = .binary
  ) throws -> [UInt8] {
    let dictionary = PropertyListDictionary(entries: entries.map { .init(key: $0.0, value: $0.1) })
    return try PropertyListDocument.encode(.dictionary(dictionary), as: format)
  }

  func putSource(mode: UInt32 = 0o640) throws { try put(Self.sourcePath, Self.bytes(Self.legacy), mode) }

  func putTarget(_ format: PropertyListFormat, mode: UInt32 = 0o600) throws {
    let entries = Self.foreign.filter { format == .binary || $0.0 != "other.string" }
    try put(Self.targetPath, Self.bytes(entries + (format == .binary ? Self.binaryForeign : []), as: format), mode)
  }

  var container: Container { Container(kind: .xcappdata, in: root) }

  /// The plan, made from what the target holds now; clean unless a status is given.
  func plan(
    target bytes: [UInt8]?, status: [Field.ID: FieldStatus] = [:], findings: [Field.ID: [Finding]] = [:]
  ) -> Plan {
    let target = bytes.flatMap { try? PropertyListDocument(bytes: $0).dictionary }
    func field(_ id: Field.ID, _ source: String, _ proposed: PropertyListValue, _ form: TargetForm) -> Field {
      let current = target?[id]
      let found = status[id] ?? (current == nil ? .ready : current == proposed ? .unchanged : .conflict)
      let legacy = Self.legacy.first { $0.0 == source }?.1
      return Field(
        id: id, group: .session, sources: [SourceKey(source)],
        origin: FieldOrigin(source: SourceKey(source), store: Self.sourcePath), legacy: legacy, proposed: proposed,
        current: current, status: found, form: form, findings: findings[id] ?? [])
    }
    let fields = [
      field("anonymous_id", "rl_anonymous_id", "9f1c2a7e-6b0d-4a1e-9c55-0d1f2a3b4c5d", .string),
      field("session_id", "rl_session_id", "1763640000", .decimalString),
      field("is_manual_session", "rl_session_auto_track_status", false, .boolean),
      field("rudder.app_build", "rl_application_build_key", 42, .integer),
    ]
    let basis =
      Self.legacy.dropLast().map { PlanBasis(store: Self.sourcePath, key: $0.0, value: $0.1) }
      + fields.map { PlanBasis(store: Self.targetPath, key: $0.id, value: $0.current) }
    return Plan(
      recipe: .rudderStackObjC,
      container: ContainerSummary(kind: .xcappdata, bundleID: "com.acme.shop", name: "Acme.xcappdata"),
      target: TargetSummary(path: Self.targetPath, exists: bytes != nil),
      now: Self.moment, fields: fields, basis: basis)
  }

  static let moment = Moment(secondsSince1970: 1_763_640_300)
  static let firstRun = "20251120T120500Z-1"

  static let key = TestKey.own

  static func migrator(_ fileSystem: any FileSystem) -> Migrator {
    Migrator(fileSystem: fileSystem, toolVersion: "0.1.0", key: key, now: { moment })
  }

  static func inMemory(_ fileSystem: MemoryFileSystem) -> SampleBox {
    SampleBox(root: "/box") { path, bytes, mode in fileSystem.put("/box/" + path, bytes, mode: mode) }
  }
}

extension FileSystem {
  var migrator: Migrator { SampleBox.migrator(self) }
}

extension MemoryFileSystem {
  var target: [UInt8]? { bytes("/box/" + SampleBox.targetPath) }

  /// The property lists among these files.
  func stores(_ paths: [String], in root: String = "/box") -> [Store] {
    paths.compactMap { path in
      let document = bytes(root + "/" + path).flatMap { try? PropertyListDocument(bytes: $0) }
      return document.map { Store(path: path, content: .document($0)) }
    }
  }

  static func sample(
    target: PropertyListFormat?, mode: UInt32 = 0o600, isApplied: Bool = false
  ) throws -> (MemoryFileSystem, SampleBox) {
    let fileSystem = MemoryFileSystem()
    let box = SampleBox.inMemory(fileSystem)
    try box.putSource()
    if let target { try box.putTarget(target, mode: mode) }
    if isApplied {
      _ = try fileSystem.migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    }
    return (fileSystem, box)
  }

  /// Puts a document of a state folder there as the user's own Carryover would have sealed it.
  func putSealed(_ path: String, _ text: String, in root: String = "/box", with key: StateKey = TestKey.own) throws {
    put(path, try resealed(text, in: root, with: key), mode: 0o600)
  }

  func resealed(_ text: String, in root: String = "/box", with key: StateKey = TestKey.own) throws -> [UInt8] {
    let members = try JSONText(text).value.members ?? []
    let seal = try StateSeal(key, of: root, self)
    return Array((seal.sealed(.object(members.filter { $0.name != "seal" })).text(pretty: true) + "\n").utf8)
  }
}

struct KeptBox {
  let fileSystem: any FileSystem
  let box: SampleBox
  var container: Container { box.container }
  let plan: Plan

  init(_ fileSystem: any FileSystem, _ box: SampleBox) {
    self.fileSystem = fileSystem
    self.box = box
    plan = box.plan(target: nil)
  }

  static func inMemory() throws -> (MemoryFileSystem, KeptBox) {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: nil)
    return (fileSystem, KeptBox(fileSystem, box))
  }

  func file(writer: Int32 = 7, in container: Container? = nil) -> SavedReviewFile {
    SavedReviewFile(
      fileSystem: fileSystem, container: container ?? self.container, writer: writer, toolVersion: "0.1.0",
      key: TestKey.own)
  }

  var state: String { container.stateDirectory }

  static let decisions: Decisions = [
    "anonymous_id": .migrate, "session_id": .edit("1763640001"), "is_manual_session": .skip,
  ]

  static func review(_ plan: Plan, _ decisions: Decisions = decisions, at moment: Moment = SampleBox.moment)
    -> SavedReview
  {
    SavedReview(
      of: plan,
      decisions: decisions.sorted { $0.key < $1.key }.compactMap { id, decision in
        plan.field(id).map { KeptDecision(field: id, decision: decision, basis: FieldBasis($0)) }
      }, at: moment)
  }

  func review(_ decisions: Decisions = Self.decisions) -> SavedReview { Self.review(plan, decisions) }
}

extension TemporaryFolder {
  func put(_ relative: String, _ bytes: [UInt8], _ mode: UInt32) throws {
    try place(relative, bytes)
    try FileManager.default.setAttributes([.posixPermissions: Int(mode)], ofItemAtPath: path(relative))
  }

  func bytes(_ relative: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path + "/" + relative).map(Array.init)
  }

  func mode(_ relative: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path + "/" + relative)[.posixPermissions] as? Int
  }

  /// Everything below the folder, by path: mode and bytes. The state folder is left out.
  func tree() throws -> [String: String] {
    var result: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) where !name.hasPrefix(".carryover") {
      let mode = try mode(name) ?? 0
      result[name] = "\(String(mode, radix: 8)) \(Data(bytes(name) ?? []).base64EncodedString())"
    }
    return result
  }

  var box: SampleBox { SampleBox(root: path) { try self.put($0, $1, $2) } }
}

enum TestKey {
  static let own = key(7)
  static let other = key(8)

  private static func key(_ byte: UInt8) -> StateKey {
    guard let key = StateKey([UInt8](repeating: byte, count: StateKey.length)) else {
      preconditionFailure("A key has \(StateKey.length) bytes.")
    }
    return key
  }
}

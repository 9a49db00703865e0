@Suite("A version beside the data that two processes migrate at once") struct VersionRaceTests {
  /// Whether the members of each version are declared. A step that runs twice shows in the value in any case.
  enum Members: CaseIterable {
    case declared, undeclared

    var newest: String { self == .declared ? #"{"cents":500}"# : #"{"amount":500}"# }

    func migration(_ store: any ByteStore) throws -> ModelMigration<String> {
      let shapes = [
        1: ModelShape(required: ["amount"], forbidden: ["cents"]),
        2: ModelShape(required: ["cents"], forbidden: ["amount"]),
      ]
      let cents: ModelPath = self == .declared ? "cents" : "amount"
      let migrator = try ModelMigrator(
        model: "amount", version: 2,
        versioning: ModelVersioning(beside: .schemaVersion, shapes: self == .declared ? shapes : [:]),
        steps: [
          ModelStep(from: 1, "to cents") { value in
            let units = value["amount"]?.numberValue?.int64 ?? 0
            value.remove(at: "amount")
            value.set(.number(JSONNumber(units * 100)), at: cents)
          }
        ])
      return ModelMigration(migrator, of: "amount", in: store) { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// What there is in the beginning: the data of version 1, or what a migration leaves that is killed at some operation.
  private static func beginnings(_ members: Members) throws -> [[String: [UInt8]]] {
    let old = Array(#"{"amount":5}"#.utf8)
    var all: [[String: [UInt8]]] = [["amount": old], ["amount": old, "amount_schema_version": Array("1".utf8)]]
    for number in 1..<40 {
      let memory = MemoryDataStore(all[1])
      let process = OtherProcess()
      process.kill(at: number, .after)
      _ = try? members.migration(process.store(memory)).run()
      let left: [String: [UInt8]] = try memory.names().reduce(into: [:]) { $0[$1] = try memory.data(for: $1) }
      if left != all.last { all.append(left) }
    }
    return all
  }

  /// The newest value is there, its step was made once, and nothing else is left.
  private static func expectDone(_ memory: MemoryDataStore, _ members: Members, _ said: Comment) throws {
    #expect(try members.migration(memory).run().value == members.newest, said)
    #expect(try memory.data(for: "amount") == Array(members.newest.utf8), said)
    #expect(try memory.integer(for: "amount_schema_version") == 2, said)
    #expect(try memory.names().filter { !$0.contains(".backup-") } == ["amount", "amount_schema_version"], said)
  }

  @Test(
    "between any two operations of one run, another one runs whole; both get the newest value (D10, D15)",
    arguments: Members.allCases)
  func whole(members: Members) throws {
    for (start, beginning) in try Self.beginnings(members).enumerated() {
      var isWhole = false
      for number in 1..<80 where !isWhole {
        let memory = MemoryDataStore(beginning)
        let one = OtherProcess()
        let other = Noted<String?>()
        one.before(number) { other.add((try? members.migration(OtherProcess().store(memory)).run())?.value) }
        let value = try? members.migration(one.store(memory)).run().value
        isWhole = one.count < number
        let said: Comment = "beginning \(start), operation \(number)"
        #expect(value == members.newest, said)
        #expect(other.all == (isWhole ? [] : [members.newest]), said)
        try Self.expectDone(memory, members, said)
      }
      #expect(isWhole)
    }
  }

  @Test(
    "between any two operations of one run, another one is killed at any of its own (D10, D15)",
    arguments: Members.allCases, LastOperation.allCases)
  func otherKilled(members: Members, last: LastOperation) throws {
    try Self.everyPair(members) { number, second, memory in
      let (one, two) = (OtherProcess(), OtherProcess())
      two.kill(at: second, last)
      one.before(number) { _ = try? members.migration(two.store(memory)).run() }
      let value = try? members.migration(one.store(memory)).run().value
      #expect(value == members.newest, "\(number), the other killed at \(second)")
      return (one.count < number, two.count < second)
    }
  }

  @Test(
    "a run is killed at any operation after another one has run between any two (D10, D15)",
    arguments: Members.allCases, LastOperation.allCases)
  func oneKilled(members: Members, last: LastOperation) throws {
    try Self.everyPair(members) { number, second, memory in
      let one = OtherProcess()
      one.kill(at: number + second - 1, last)
      one.before(number) { _ = try? members.migration(OtherProcess().store(memory)).run() }
      _ = try? members.migration(one.store(memory)).run()
      return (one.count < number, one.count < number + second - 1)
    }
  }

  @Test(
    "one is killed at any operation, after another one was killed at any between any two (D10, D15)",
    arguments: Members.allCases, [0, 3])
  func bothKilled(members: Members, later: Int) throws {
    try Self.everyPair(members) { number, second, memory in
      let (one, two) = (OtherProcess(), OtherProcess())
      one.kill(at: number + later, .after)
      two.kill(at: second, .after)
      one.before(number) { _ = try? members.migration(two.store(memory)).run() }
      _ = try? members.migration(one.store(memory)).run()
      return (one.count < number, two.count < second)
    }
  }

  /// Runs something for all pairs of numbers, over everything that there may be in the beginning.
  /// - Parameter body: returns whether there are no more operations for the first number, and for the second.
  private static func everyPair(
    _ members: Members, _ body: (Int, Int, MemoryDataStore) throws -> (Bool, Bool)
  ) throws {
    for (index, beginning) in try beginnings(members).enumerated() where Extent.isFull || index.isMultiple(of: 2) {
      var isWhole = false
      for number in 1..<80 where !isWhole {
        var isEach = false
        for second in 1..<80 where !isEach {
          let memory = MemoryDataStore(beginning)
          (isWhole, isEach) = try body(number, second, memory)
          isEach = isEach || isWhole
          try expectDone(memory, members, "operations \(number) and \(second)")
        }
        #expect(isEach)
      }
      #expect(isWhole)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `of twenty runs at once one runs the steps, whatever they give (D10, D15)`(kind: StoreKind) async throws {
    let place = StorePlace(kind)
    let store = try place.open()
    try store.set(Array("{}".utf8), for: "amount")
    let steps = Noted<Int>()
    let migrator = try ModelMigrator(
      model: "amount", version: 2, versioning: ModelVersioning(beside: .schemaVersion),
      steps: [
        ModelStep(from: 1, "a new id") { value in
          steps.add(1)
          value.set(.string(UUID().uuidString), at: ["id"])
        }
      ])
    let stores = try (0..<20).map { _ in try place.open() }
    let values = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
      for store in stores { group.addTask { try ModelMigration(migrator, of: "amount", in: store) { $0 }.run().value } }
      return try await group.reduce(into: Set<[UInt8]?>()) { $0.insert($1) }
    }
    #expect(try values == [store.data(for: "amount")] && steps.all == [1])
  }

  @Test(arguments: [StoreKind.files, .encryptedFiles])
  func `other processes wait while a step runs, and only then (D10, D15)`(kind: StoreKind) throws {
    let place = StorePlace(kind)
    let store = try place.open()
    try store.set(Array(#"{"amount":5}"#.utf8), for: "amount")
    let path = place.folder.appending(path: "\(kind.folder)/amount.carryover-lock").path
    let migrator = try ModelMigrator(
      model: "amount", version: 2, versioning: ModelVersioning(beside: .schemaVersion),
      steps: [ModelStep(from: 1, "look") { _ in #expect(!Self.isFree(path)) }])
    let migration = ModelMigration(migrator, of: "amount", in: store) { $0 }
    #expect(try migration.run().steps == ["look"])
    #expect(Self.isFree(path))
    try FileManager.default.removeItem(atPath: path)
    #expect(try migration.run().steps == [] && store.names().count == 3)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  private static func isFree(_ path: String) -> Bool {
    let system = POSIXFileSystem()
    guard let handle = try? system.lock(path, mode: 0o600, waiting: false) else { return false }
    try? system.close(handle)
    return true
  }
}

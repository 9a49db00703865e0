@Suite("A version that is stored beside the data") struct VersionBesideTests {
  private static let versioning = ModelVersioning(beside: .schemaVersion)

  /// An amount: in whole units in version 1, in cents since, with its currency in version 3. A step that runs twice shows.
  private static func migrator(_ versioning: ModelVersioning) throws -> ModelMigrator {
    try ModelMigrator(
      model: "amount", version: 3, versioning: versioning,
      steps: [
        ModelStep(from: 1, "to cents") { value in
          let units = value["amount"]?.numberValue?.int64 ?? 0
          value.set(.number(JSONNumber(units * 100)), at: ["amount"])
        },
        ModelStep(from: 2, [.add("currency", "EGP")]),
      ])
  }

  private static func migration(
    _ store: any ByteStore, _ versioning: ModelVersioning = versioning
  ) throws -> ModelMigration<[UInt8]> {
    ModelMigration(try migrator(versioning), of: "amount", in: store) { $0 }
  }

  private static func store(_ data: String, _ version: Int?) -> CountingStore {
    var contents = ["amount": Array(data.utf8)]
    if let version { contents["amount_schema_version"] = Array(String(version).utf8) }
    return CountingStore(contents)
  }

  private static func text(_ store: any ByteStore, _ name: String = "amount") throws -> String? {
    try store.data(for: name).map { String(decoding: $0, as: UTF8.self) }
  }

  private static let newest = #"{"amount":500,"currency":"EGP"}"#

  @Test(arguments: StoreKind.allCases)
  func `the version under <key>_schema_version counts, default 1 (D1, D15)`(kind: StoreKind) throws {
    let place = StorePlace(kind)
    for (data, version) in [(#"{"amount":500}"#, 2), (#"{"amount":5}"#, 1), (#"{"amount":5}"#, nil)] as [(String, Int?)]
    {
      let store = try place.open()
      try store.set(Array(data.utf8), for: "amount")
      try store.remove("amount_schema_version")
      if let version { try store.setInteger(version, for: "amount_schema_version") }
      let report = try Self.migration(store).run()
      #expect(report.from == version ?? 1 && report.to == 3)
      let again = try place.open()
      #expect(try Self.text(again) == Self.newest && again.integer(for: "amount_schema_version") == 3)
      #expect(try Self.migration(again).run().hasWritten == false)
    }
  }

  @Test func `a number of UserDefaults is read, and stays a number (D1, D15)`() throws {
    let suite = "carryover-tests-\(UUID().uuidString)"
    defer { TestSuite.remove(suite) }
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.set(#"{"amount":500}"#, forKey: "amount")
    defaults.set(2, forKey: "amount_schema_version")
    #expect(try Self.migration(DefaultsDataStore(defaults, label: suite)).run().from == 2)
    #expect(defaults.object(forKey: "amount_schema_version") as? Int == 3)
    #expect(defaults.string(forKey: "amount") == Self.newest)
    for wrong: Any in ["two", 2.5, true, Data("2".utf8) + [0xff], ["2"]] {
      defaults.set(#"{"amount":500}"#, forKey: "amount")
      defaults.set(wrong, forKey: "amount_schema_version")
      #expect(throws: ModelMigrationError.self) { try Self.migration(DefaultsDataStore(defaults, label: suite)).run() }
      #expect(defaults.string(forKey: "amount") == #"{"amount":500}"#)
    }
  }

  @Test func `a value under <key>_schema_version 2 is never treated as 1, however the version is told (D1)`() throws {
    for versioning in [
      Self.versioning, ModelVersioning(marker: "v", unmarked: 1), ModelVersioning(marker: "v", unmarked: 2),
      ModelVersioning(
        shapes: [
          1: ModelShape(required: ["amount", "old"]),
          2: ModelShape(required: ["amount"], forbidden: ["old", "currency"]),
          3: ModelShape(required: ["currency"], forbidden: ["old"]),
        ]),
      ModelVersioning(beside: .named("amount_schema_version"), unmarked: nil, shapes: [:]),
    ] {
      let store = Self.store(#"{"amount":500}"#, 2)
      let migration = try Self.migration(store, versioning)
      guard case .pending(from: 2, to: 3) = migration.state() else {
        return #expect(Bool(false), "\(migration.state())")
      }
      #expect(try migration.run().from == 2)
      #expect(try Self.text(store)?.contains(#""amount":500"#) == true)
      #expect(try store.integer(for: "amount_schema_version") == 3)
      #expect(try migration.run().hasWritten == false)
    }
    // A member of version 1's alone contradicts the number, and nothing is guessed.
    let store = Self.store(#"{"amount":500}"#, 2)
    let contradicted = ModelVersioning(
      beside: .schemaVersion,
      shapes: [
        1: ModelShape(required: ["amount"], forbidden: ["cents"]),
        2: ModelShape(required: ["cents"], forbidden: ["amount", "currency"]),
        3: ModelShape(required: ["currency"], forbidden: ["amount"]),
      ])
    let error = #expect(throws: ModelMigrationError.self) { try Self.migration(store, contradicted).run() }
    #expect(error?.description.contains("marked as version 2") == true && store.writes == 0)
  }

  @Test(arguments: LastOperation.allCases)
  func `data and version are one commit, whichever operation is the last (D10, D15)`(last: LastOperation) throws {
    for (data, version) in [(#"{"amount":500}"#, 2), (#"{"amount":5}"#, nil)] as [(String, Int?)] {
      var isWhole = false
      for number in 1..<80 where !isWhole {
        let store = Self.store(data, version)
        let stores = StoppingStores([store])
        stores.stop(at: number, last)
        _ = try? Self.migration(store).run()
        isWhole = stores.count < number
        stores.goOn()
        // The next start may be killed, too, at any operation.
        for second in [2, 3, 5, 7, 9] {
          stores.stop(at: second, last)
          _ = try? Self.migration(store).run()
          stores.goOn()
        }
        let stands = try Self.text(store)
        switch try Self.migration(store).state() {
        case .pending(let from, _): #expect(stands == data && from == version ?? 1, "operation \(number)")
        case .current: #expect(stands == Self.newest, "operation \(number)")
        case let state: Issue.record("operation \(number): \(state)")
        }
        #expect(try Self.migration(store).run().to == 3)
        #expect(try Self.text(store) == Self.newest && store.integer(for: "amount_schema_version") == 3)
        let left = try store.names().filter { !$0.contains(".backup-") }
        #expect(left == ["amount", "amount_schema_version"], "operation \(number)")
      }
      #expect(isWhole)
    }
  }

  @Test func `whichever operation fails, old data and version stand, or both are the newest (D11, D15)`() throws {
    var isWhole = false
    for number in 1..<80 where !isWhole {
      let store = Self.store(#"{"amount":500}"#, 2)
      let count = Noted<Int>()
      store.fail { _, _ in
        count.add(0)
        return count.all.count == number
      }
      let failed = (try? Self.migration(store).run()) == nil
      isWhole = count.all.count < number
      store.fail(nil)
      switch try Self.migration(store).state() {
      case .pending(from: 2, to: 3): #expect(try failed && Self.text(store) == #"{"amount":500}"#)
      case .current: #expect(try Self.text(store) == Self.newest)
      case let state: Issue.record("operation \(number): \(state)")
      }
      #expect(try Self.migration(store).run().to == 3 && Self.text(store) == Self.newest)
    }
    #expect(isWhole)
  }

  @Test func `the note stays if the data cannot be read after a write that failed (D11, D15)`() throws {
    let store = Self.store(#"{"amount":500}"#, 2)
    let (writes, reads) = (Noted<Int>(), Noted<Int>())
    // Other code writes in place of the migration; the second read after that fails.
    store.fail { [weak store] operation, name in
      guard name == "amount" else { return false }
      if operation == .write {
        guard writes.all.isEmpty else { return false }
        writes.add(0)
        try? store?.set(Array(#"{"amount":7}"#.utf8), for: "amount")
        return true
      }
      guard operation == .read, !writes.all.isEmpty else { return false }
      reads.add(0)
      return reads.all.count > 1
    }
    #expect(throws: ModelMigrationError.self) { try Self.migration(store).run() }
    store.fail(nil)
    #expect(reads.all.count > 1)
    #expect(try store.names().contains("amount.carryover-version"))
    #expect(try Self.text(store) == #"{"amount":7}"#)
  }

  @Test func `data changed behind a migration that was cut off is refused: its version is unknown (D15)`() throws {
    let store = Self.store(#"{"amount":500}"#, 2)
    // Killed behind the write of the data.
    let killed = Noted<Int>()
    store.fail { operation, name in
      if operation == .write, name == "amount_schema_version" { killed.add(0) }
      return !killed.all.isEmpty
    }
    _ = try? Self.migration(store).run()
    store.fail(nil)
    #expect(!killed.all.isEmpty)
    #expect(try Self.text(store) == Self.newest && store.integer(for: "amount_schema_version") == 2)
    try store.set(Array(#"{"amount":700,"currency":"EGP"}"#.utf8), for: "amount")
    let error = #expect(throws: ModelMigrationError.self) { try Self.migration(store).run() }
    #expect(error?.reason.model == .unknownVersion(.changedSince("amount_schema_version")))
    #expect(try Self.text(store) == #"{"amount":700,"currency":"EGP"}"#)
    // Whoever knows says so.
    try store.setInteger(3, for: "amount_schema_version")
    #expect(try Self.migration(store).run().hasWritten == false)
    #expect(try store.names().contains("amount.carryover-version") == false)
  }

  @Test(arguments: ["4", "-1", "2.0", "two", ""])
  func `a version beside the data that is newer, below 0 or no integer stops it (D15)`(version: String) throws {
    let store = CountingStore(["amount": Array(#"{"amount":5}"#.utf8), "amount_schema_version": Array(version.utf8)])
    #expect(throws: ModelMigrationError.self) { try Self.migration(store).run() }
    guard case .failed(let error) = try Self.migration(store).state() else { return #expect(Bool(false)) }
    #expect(!error.description.contains("two") && store.writes == 0)
  }

  @Test func `a backup that is restored gets its version back, and so does what it replaced (D7, D15)`() throws {
    let store = Self.store(#"{"amount":500}"#, 2)
    let migration = try Self.migration(store)
    let backup = try #require(try migration.run().backup)
    #expect(backup.version == 2)
    try migration.restore(backup)
    #expect(try Self.text(store) == #"{"amount":500}"# && store.integer(for: "amount_schema_version") == 2)
    let newest = try #require(try migration.listBackups().first { $0.version == 3 })
    try migration.restore(newest)
    #expect(try Self.text(store) == Self.newest && store.integer(for: "amount_schema_version") == 3)
    try store.remove("amount")
    try migration.restore(backup)
    #expect(try store.integer(for: "amount_schema_version") == 2)
    #expect(try migration.run().to == 3)
  }

  @Test func `data marked as older than the number beside it says is refused (D15)`() throws {
    let store = Self.store(#"{"v":1,"amount":5}"#, 2)
    #expect(throws: ModelMigrationError.self) {
      try Self.migration(store, ModelVersioning(marker: "v", unmarked: 1)).run()
    }
    #expect(try Self.text(store) == #"{"v":1,"amount":5}"#)
    #expect(throws: ModelVersionError.besideNewer(marked: 1, beside: 2)) {
      try ModelVersioning(marker: "v").version(of: ["v": 1], beside: 2)
    }
    #expect(try ModelVersioning(marker: "v").version(of: ["v": 2], beside: 1) == 2)
  }

  @Test func `where nothing is stored beside the data, nothing is written there unless it is declared (D15)`() throws {
    let store = Self.store(#"{"amount":5}"#, nil)
    try Self.migration(store, ModelVersioning(marker: "v", unmarked: 1)).run()
    #expect(try store.names().filter { !$0.contains(".backup-") } == ["amount"])
    // A marker is in the data, and so is what it says of it.
    try store.setInteger(1, for: "amount_schema_version")
    #expect(try Self.migration(store, ModelVersioning(marker: "v", unmarked: 1)).run().hasWritten == false)
  }
}

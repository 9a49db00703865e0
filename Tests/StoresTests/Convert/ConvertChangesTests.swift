@Suite("Concurrent changes to Convert's files") struct ConvertChangesTests {
  private static let count = 100
  private static let lockName = "com.convertexperiments.sdk.carryover-lock"
  private static let queueName = "com.convertexperiments.sdk/event-queue.json"
  private let box = ConvertBox()

  private static func change(_ support: String, as name: String, count: Int = count) throws {
    let files = ConvertFiles(applicationSupport: support)
    for number in 0..<count {
      let isNew = try files.updateDecisions { $0.reach(goal: "g\(number)", .init(project: "1-2", visitor: name)) }
      guard isNew else { throw Unexpected() }
      let event = try event(of: name, number)
      try files.updateQueue { $0.append(event) }
    }
  }

  private static func event(of visitor: String, _ number: Int) throws -> ConvertQueue {
    let visitor: JSONValue = ["visitorId": .string(visitor), "events": [["goalId": .string("g\(number)")]]]
    return try ConvertQueue([["visitors": [visitor]]])
  }

  private func expectAll(_ names: [String], in box: ConvertBox, count: Int = count) throws {
    let decisions = try box.files().decisions()
    let queue = try #require(try box.files().queue())
    for name in names {
      let entry = decisions[.init(project: "1-2", visitor: name)]
      #expect(entry?["goalTriggered"]?.members?.count == count, "\(name)")
      #expect(queue.eventCount(of: name) == count, "\(name)")
    }
    #expect(decisions.visitors.count == names.count && queue.eventCount == names.count * count)
  }

  @Test func `two processes that change the files at once lose none of each other's changes (C10)`() async throws {
    let names = ["app", "extension"]
    await withTaskGroup(of: Void.self) { group in
      for name in names {
        let support = box.support
        group.addTask {
          await #expect(processExitsWith: .success) { [support = support as String, name = name as String] in
            try Self.change(support, as: name)
          }
        }
      }
    }
    try expectAll(names, in: box)
  }

  @Test func `threads that change the files at once lose none of each other's changes (C10)`() async throws {
    let names = (0..<4).map { "thread-\($0)" }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in names {
        let support = box.support
        group.addTask { try Self.change(support, as: name, count: 30) }
      }
      try await group.waitForAll()
    }
    try expectAll(names, in: box, count: 30)
  }

  @Test func `a process killed during a change leaves the files as they were, and no lock (C10)`() async throws {
    try Self.change(box.support, as: "app", count: 1)
    let (support, lock) = (box.support, box.path(Self.lockName))
    await #expect(processExitsWith: .signal(SIGKILL)) { [support = support as String, lock = lock as String] in
      try ConvertFiles(applicationSupport: support).updateDecisions { decisions in
        _ = decisions.reach(goal: "late", .init(project: "1-2", visitor: "extension"))
        if Self.isHeld(lock) { kill(getpid(), SIGKILL) }
      }
    }
    #expect(try box.files().decisions().visitors == ["app"])
    #expect(!Self.isHeld(lock))
    await #expect(processExitsWith: .success) { [support = support as String] in
      try Self.change(support, as: "extension", count: 1)
    }
    try expectAll(["app", "extension"], in: box, count: 1)
  }

  @Test func `a migration and concurrent changes lose none of each other's decisions (C10)`() async throws {
    let files = box.files()
    let old = ConvertDecisions.Subject(project: "1-2", visitor: "v0")
    _ = try files.updateDecisions { $0.reach(goal: "first", old) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0..<30 {
          let (keychain, mirror) = (MemoryDataStore(label: "keychain"), MemoryDataStore(label: "mirror"))
          let migration = ConvertMigration(files: files, keychain: keychain, mirror: mirror)
          if number.isMultiple(of: 2) {
            try migration.run(.given(from: "v\(number)", to: "v\(number + 1)"))
          } else {
            try keychain.set(Array("v\(number)".utf8), for: ConvertNames.visitorAccount)
            try migration.run(.kept(to: "v\(number + 1)"))
          }
        }
      }
      group.addTask {
        for number in 0..<Self.count {
          _ = try files.updateDecisions { $0.reach(goal: "g\(number)", .init(project: "1-2", visitor: "other")) }
        }
      }
      try await group.waitForAll()
    }
    let decisions = try box.files().decisions()
    #expect(Set(decisions.visitors) == ["other", "v30"])
    #expect(decisions[.init(project: "1-2", visitor: "v30")]?["goalTriggered"]?["first"] == true)
    #expect(decisions[.init(project: "1-2", visitor: "other")]?["goalTriggered"]?.members?.count == Self.count)
  }

  @Test func `threads that recover a damaged queue at once set it aside once, never a good queue (C10)`() async throws {
    let files = box.files()
    for round in 0..<20 {
      try box.put(Self.queueName, "damaged \(round)")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            _ = try files.recoverQueue()
            let event = try Self.event(of: "ada", number)
            try files.updateQueue { $0.append(event) }
          }
        }
        try await group.waitForAll()
      }
      #expect(try box.files().queue()?.eventCount == 4)
      let aside = box.names("com.convertexperiments.sdk").filter { $0.contains(".corrupt-") }
      #expect(aside.count == round + 1)
    }
  }

  @Test func `a nested change throws instead of waiting forever, and the outer change is saved (C10)`() throws {
    let goals = try box.files().updateDecisions { decisions in
      let error = #expect(throws: ConvertError.self) { try box.files().updateQueue { $0 = ConvertQueue() } }
      #expect(error?.description.contains("finish the current change before you start another") == true)
      return decisions.reach(goal: "g", .init(project: "1-2", visitor: "ada"))
    }
    #expect(goals)
    #expect(try box.files().decisions().visitors == ["ada"])
    try Self.change(box.support, as: "eve", count: 1)
  }

  @Test(arguments: ["a folder", "a link", "a pipe"])
  func `without a lock, reads work and changes throw the reason (C10)`(_ kind: String) throws {
    try Self.change(box.support, as: "ada", count: 1)
    let lock = box.path(Self.lockName)
    try FileManager.default.removeItem(atPath: lock)
    switch kind {
    case "a folder": try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
    case "a link":
      try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: box.path("elsewhere"))
    default: #expect(mkfifo(lock, 0o600) == 0)
    }
    let before = box.names()
    var isAsked = false
    let errors = [
      #expect(throws: ConvertError.self) { try box.files().updateDecisions { _ in isAsked = true } },
      #expect(throws: ConvertError.self) { try box.files().updateQueue { _ in isAsked = true } },
    ]
    for error in errors { #expect(error?.description.hasPrefix("Could not lock “\(lock)”: ") == true) }
    #expect(!isAsked && box.names() == before)
    try expectAll(["ada"], in: box, count: 1)
    guard case .recovered(let decisions) = try box.files().recoverDecisions() else { throw Unexpected() }
    #expect(decisions.visitors == ["ada"])
    guard case .recovered = try box.files().recoverQueue() else { throw Unexpected() }
    // An unknown visitor has nothing to move, so the migration needs no lock.
    let stores = (MemoryDataStore(label: "keychain"), MemoryDataStore(label: "mirror"))
    let migration = ConvertMigration(files: box.files(), keychain: stores.0, mirror: stores.1)
    #expect(try migration.run(.given(from: "nobody", to: "somebody")).writes == 0)
    #expect(throws: ConvertError.self) { try migration.run(.given(from: "ada", to: "eve")) }
  }

  @Test func `in a read-only folder, reads work, and changes name the lock they cannot create (C10)`() async throws {
    try box.put(ConvertNames.decisions, #"{"store":{"1-2-ada":{}},"order":["1-2-ada"]}"#)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: box.support)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: box.support) }
    let (support, lock) = (box.support, box.path(Self.lockName))
    await #expect(processExitsWith: .success) { [support = support as String, lock = lock as String] in
      // Root may write anywhere.
      if geteuid() == 0, setuid(65534) != 0 { throw Unexpected() }
      let files = ConvertFiles(applicationSupport: support)
      do {
        try files.updateDecisions { $0 = ConvertDecisions() }
        throw Unexpected()
      } catch let error as ConvertError {
        guard error.description.hasPrefix("Could not lock “\(lock)”: ") else { throw error }
      }
      guard try files.decisions().visitors == ["ada"] else { throw Unexpected() }
      guard case .recovered = try files.recoverDecisions() else { throw Unexpected() }
    }
    #expect(box.names() == [ConvertNames.decisions])
  }

  @Test func `a closure that changes nothing writes nothing, and its result is returned (C10)`() throws {
    try Self.change(box.support, as: "ada", count: 1)
    let disk = FailingFileSystem(after: 0)
    #expect(try box.files(disk).updateDecisions { $0.visitors } == ["ada"])
    #expect(try box.files(disk).updateQueue { $0.eventCount } == 1)
    #expect(disk.changes == 0)
    let empty = ConvertBox()
    try empty.files().updateQueue { _ in }
    #expect(empty.names() == [Self.lockName])
  }

  @Test func `a queue that the SDK starts to send during a change is not replaced (C10)`() throws {
    try Self.change(box.support, as: "ada", count: 1)
    let before = box.text(Self.queueName)
    let error = #expect(throws: ConvertError.self) {
      try box.files().updateQueue { queue in
        try? box.put("com.convertexperiments.sdk/event-queue.uploading", "\u{1}")
        queue = ConvertQueue()
      }
    }
    guard case .uploading = error else { throw Unexpected() }
    #expect(box.text(Self.queueName) == before)
  }

  private static func isHeld(_ path: String) -> Bool {
    do {
      let disk = POSIXFileSystem()
      try disk.close(disk.lock(path, mode: 0o600))
      return false
    } catch {
      guard case .busy = error.reason else { return false }
      return true
    }
  }

  private struct Unexpected: Error {}
}

import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

@Suite("Moving Convert's visitor")
struct ConvertMigrationTests {
  private static let text = """
    {"store":{"1-2-OLD":{"bucketing":{"e1":"v1"},"goalTriggered":{"g":true}},"1-3-OLD":{"bucketing":{"e3":"v3"}},\
    "1-2-bob":{"bucketing":{"e1":"v2"}}},"order":["1-2-OLD","1-2-bob","1-3-OLD"]}
    """

  private struct Phone {
    let box: ConvertBox
    let keychain = MemoryDataStore(label: "keychain")
    let mirror = MemoryDataStore(label: "mirror")

    init(keychain id: String? = "OLD", mirror other: String? = "OLD") throws {
      box = try ConvertBox()
      try box.put(ConvertNames.decisions, ConvertMigrationTests.text)
      if let id { try keychain.set(Array(id.utf8), for: ConvertNames.visitorAccount) }
      if let other { try mirror.set(Array(other.utf8), for: ConvertNames.visitorMirror) }
    }

    func migration(
      _ disk: any FileSystem = POSIXFileSystem(), _ budget: FailingStore.Budget = .init()
    ) -> ConvertMigration {
      ConvertMigration(
        files: box.files(disk), keychain: FailingStore(keychain, budget), mirror: FailingStore(mirror, budget))
    }

    /// The id the SDK finds, and what it reads there before it calculates.
    func sdk() throws -> (id: String?, variations: [JSONValue?]) {
      let id = IdentityLookup.convert(keychain: keychain, mirror: mirror) { "" }.current()?.id
      let decisions = try box.files().decisions()
      return (
        id,
        [("1-2", "e1"), ("1-3", "e3")].map { project, experience in
          id.flatMap { decisions.variation(of: experience, for: .init(project: project, visitor: $0)) }
        }
      )
    }

    func ids() throws -> [String?] {
      try [keychain.data(for: ConvertNames.visitorAccount), mirror.data(for: ConvertNames.visitorMirror)].map {
        $0.map { String(decoding: $0, as: UTF8.self) }
      }
    }

    func expectDone(_ comment: Comment) throws {
      #expect(try ids() == ["NEW", "NEW"], comment)
      let decisions = try box.files().decisions()
      let expected = try JSONText(ConvertMigrationTests.text.replacingOccurrences(of: "OLD", with: "NEW")).value
      #expect(JSONChange.between(expected, decisions.value) == [], comment)
    }
  }

  @Test("a migration's progress and outcome can be followed (C9)")
  func events() async throws {
    let phone = try Phone()
    let migration = phone.migration()
    let stream = migration.events()
    let report = try migration.run(.kept(to: "NEW"))
    #expect(report.from == "OLD" && report.projects == 2 && report.writes == 4)
    var words: [String] = []
    for await event in stream { words.append(Self.word(event)) }
    #expect(
      words == ["began", "copied 2", "NEW in keychain", "removed 2", "NEW in mirror", "finished"])
    for await event in migration.events() { Issue.record("\(event) after the end") }
    try phone.expectDone("")
    let again = try phone.migration().run(.kept(to: "NEW"))
    #expect(again.writes == 0 && again.from == nil)
  }

  @Test("a subscription ends when its reader is cancelled, and no other does (C12)")
  func cancelled() async throws {
    let migration = try Phone().migration()
    let kept = migration.events()
    let read = migration.events()
    let reader = Task { for await _ in read {} }
    #expect(migration.subscriptions == 2)
    reader.cancel()
    await reader.value
    #expect(migration.subscriptions == 1)
    try migration.run(.kept(to: "NEW"))
    var words: [String] = []
    for await event in kept { words.append(Self.word(event)) }
    #expect(words.first == "began" && words.last == "finished")
  }

  @Test("a failure is told too, with its cause (C9)")
  func failure() async throws {
    let phone = try Phone()
    try phone.box.put(ConvertNames.decisions, "{")
    let migration = phone.migration()
    let stream = migration.events()
    #expect(throws: ConvertError.self) { try migration.run(.kept(to: "NEW")) }
    var last: ConvertEvent?
    for await event in stream { last = event }
    guard case .failed(.corrupt) = last else {
      Issue.record("\(String(describing: last))")
      return
    }
    #expect(try phone.ids() == ["OLD", "OLD"])
    #expect(phone.box.text(ConvertNames.decisions) == "{")
  }

  @Test(
    "cut off at any write of a file, the id that the SDK finds has its decisions, and the next start finishes it (C3)",
    arguments: [("OLD", "OLD"), ("OLD", nil), (nil, "OLD"), ("OLD", "ELSE")] as [(String?, String?)])
  func everyFileWrite(_ keychain: String?, _ mirror: String?) throws {
    var failed = 0
    for changes in 0... {
      let phone = try Phone(keychain: keychain, mirror: mirror)
      let done = (try? phone.migration(FailingFileSystem(after: changes)).run(.kept(to: "NEW"))) != nil
      let sdk = try phone.sdk()
      #expect(sdk.id == "OLD" || sdk.id == "NEW")
      #expect(sdk.variations == ["v1", "v3"], "after \(changes) changes, as \(sdk.id ?? "nobody")")
      try phone.migration().run(.kept(to: "NEW"))
      try phone.expectDone("after \(changes) changes")
      if done { break }
      failed += 1
    }
    #expect(failed >= 8)
  }

  @Test(
    "cut off at any write of an id, the id that the SDK finds has its decisions, and the next start finishes it (C3)",
    arguments: [("OLD", "OLD"), ("OLD", nil), (nil, "OLD"), ("OLD", "ELSE")] as [(String?, String?)])
  func everyIDWrite(_ keychain: String?, _ mirror: String?) throws {
    var failed = 0
    for writes in 0... {
      let phone = try Phone(keychain: keychain, mirror: mirror)
      let done = (try? phone.migration(POSIXFileSystem(), .init(writes)).run(.kept(to: "NEW"))) != nil
      #expect(try phone.sdk().variations == ["v1", "v3"], "after \(writes) writes")
      try phone.migration().run(.kept(to: "NEW"))
      try phone.expectDone("after \(writes) writes")
      if done { break }
      failed += 1
    }
    #expect(failed >= 2)
  }

  @Test("what is decided for the new id while a migration is cut off stays, and nothing of the old is lost (C3)")
  func betweenStarts() throws {
    let phone = try Phone()
    #expect(throws: ConvertError.self) { try phone.migration(FailingFileSystem(after: 7)).run(.kept(to: "NEW")) }
    #expect(try phone.ids() == ["NEW", "OLD"])
    let first = try phone.box.files().updateDecisions {
      $0.reach(goal: "late", .init(project: "1-2", visitor: "NEW"))
    }
    #expect(first)
    try phone.migration().run(.kept(to: "NEW"))
    var settled = try phone.box.files().decisions()
    let goals = [
      settled.reach(goal: "late", .init(project: "1-2", visitor: "NEW")),
      settled.reach(goal: "g", .init(project: "1-2", visitor: "NEW")),
    ]
    #expect(goals == [false, false])
    #expect(settled.visitors == ["NEW", "bob"])
  }

  @Test("what another process has moved meanwhile is not reported (C10)")
  func movedMeanwhile() throws {
    // An earlier run was cut off behind the keychain.
    let phone = try Phone(keychain: "NEW", mirror: "OLD")
    let others = phone.box.files()
    let disk = FailingFileSystem(before: { operation, _ in
      guard operation == .lock else { return }
      try? others.updateDecisions { _ = $0.move(from: "OLD", to: "NEW") }
    })
    let report = try phone.migration(disk).run(.kept(to: "NEW"))
    #expect(report.projects == 0 && report.writes == 1 && report.from == "OLD")
    try phone.expectDone("")
  }

  @Test("ids that the app gives itself are moved in the decisions, and no store is touched (C1)")
  func given() throws {
    let phone = try Phone(keychain: "K", mirror: nil)
    let report = try phone.migration(POSIXFileSystem(), .init(0)).run(.given(from: "OLD", to: "NEW"))
    #expect(report.projects == 2 && report.writes == 1)
    #expect(try phone.ids() == ["K", nil])
    #expect(try phone.box.files().decisions().visitors == ["NEW", "bob"])
    #expect(try phone.migration().run(.given(from: "OLD", to: "NEW")).writes == 0)
  }

  @Test("nobody becomes the empty id, and where there is no id yet the new one goes to both stores (C1)")
  func edges() throws {
    let phone = try Phone(keychain: nil, mirror: nil)
    #expect(throws: ConvertError.self) { try phone.migration().run(.kept(to: "")) }
    let report = try phone.migration().run(.kept(to: "NEW"))
    #expect(report.from == nil && report.writes == 2)
    #expect(try phone.ids() == ["NEW", "NEW"])
    #expect(phone.box.text(ConvertNames.decisions) == Self.text)
  }

  private static func word(_ event: ConvertEvent) -> String {
    switch event {
    case .began: "began"
    case .decisionsCopied(let projects): "copied \(projects)"
    case .decisionsRemoved(let projects): "removed \(projects)"
    case .decisionsMoved(let projects): "moved \(projects)"
    case .idWritten(let id, let store): "\(id) in \(store)"
    case .finished: "finished"
    case .failed: "failed"
    }
  }
}

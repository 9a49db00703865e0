@testable import Carryover
import CarryoverStorage

@Suite("Whose ids a plan proposes") struct GenerationTests {
  private static let text = """
    \(acmeStart)
    legacy-sdk: Acme's SDK
    read:
      - suite: ${bundle-id}
      - plist: Library/acme.plist
      - {file: Library/acme.id, as: file_id, or-text: true}
    write: {suite: "${bundle-id}.acme"}
    detect: [new_user]
    opt-out-keys: []
    fields:
      - key: user_id
        group: identity
        form: string
        from: [{key: new_user}, {key: old_user}, {key: file_id}]
      - key: device_id
        group: identity
        form: string
        from: [{key: new_device}, {key: old_device}]
        fresh-without: [user_id]
      - key: profile
        group: traits
        form: string
        from: [{key: new_profile}, {key: old_profile}]
      - key: version
        group: app
        form: string
        from: [{key: new_version}, {key: old_version}]
    """

  private static let declared = text.replacing(
    "write:",
    with: """
      generations:
        - {of: the app's defaults, files: ["${bundle-id}"]}
        - {of: Acme's file, keys: [new_*, old_*, file_id]}
      write:
      """)

  /// Files as stores: a dictionary is a property list, other data is read as it is.
  private func container(_ files: [String: PropertyListDictionary], damaged: [String: [UInt8]] = [:]) throws
    -> Container
  {
    let stores =
      try files.map { try Store($0, $1) }
      + damaged.map { Store(path: $0, content: .unreadable("It is damaged."), size: $1.count, bytes: $1) }
    return Container(stores.sorted { $0.path < $1.path })
  }

  private static let (first, second, file, target) = (
    "Library/Preferences/com.acme.shop.plist", "Library/acme.plist", "Library/acme.id",
    "Library/Preferences/com.acme.shop.acme.plist"
  )

  private func plan(
    _ files: [String: PropertyListDictionary], damaged: [String: [UInt8]] = [:], _ text: String = GenerationTests.text,
    settled: [StringByBytes: SettledField] = [:]
  ) throws -> Plan {
    let read = RecipeFile.read(Array(text.utf8), vendors: vendors)
    #expect(read.issues.filter { $0.code.severity == .error } == [])
    var recipe = try #require(read.file).recipe
    recipe.origin = .file(path: "acme.recipe.yaml", isTrusted: true)
    return Planner(recipe).plan(
      try container(files, damaged: damaged), now: Moment(secondsSince1970: 1_763_640_300),
      options: PlannerOptions(parameters: [:], settled: settled))
  }

  private func codes(_ field: Field?) -> [FindingCode] { field?.findings.map(\.code) ?? [] }

  @Test func `an id that the newer keys lack is not taken from the older ones: it is offered, and asks`() throws {
    let plan = try plan([
      Self.first: [
        "new_device": "d-2", "old_user": "u-1", "old_device": "d-1", "old_profile": "p-1", "old_version": "1",
      ]
    ])
    let user = try #require(plan.field("user_id"))
    #expect(user.status == .needsDecision && user.proposed == nil && user.alternatives.map(\.value) == ["u-1"])
    #expect(codes(user) == [.identityOlderGeneration])
    let device = try #require(plan.field("device_id"))
    #expect(device.status == .needsDecision && device.proposed == "d-2")
    #expect(plan.field("profile")?.proposed == nil && plan.field("profile")?.status == .needsDecision)
    // The version is not the user's: any of the sources will do.
    #expect(plan.field("version")?.status == .ready)
  }

  @Test func `older keys with the same ids, or without newer ones, ask nothing`() throws {
    let old: PropertyListDictionary = ["old_user": "u-1", "old_device": "d-1", "old_profile": "p-1"]
    var both = old
    for (key, value) in [("new_user", "u-1"), ("new_device", "d-1"), ("new_profile", "p-2")] {
      both[key] = .string(value)
    }
    let plan = try plan([Self.first: both])
    #expect(plan.fields.allSatisfy { $0.findings.isEmpty } && plan.field("profile")?.proposed == "p-2")
    #expect(try self.plan([Self.first: old]).fields.filter { $0.status == .ready }.count == 3)
  }

  @Test func `a key in two files is read from the first one that has it, as its SDK does`() throws {
    let plan = try plan([Self.first: ["new_device": "d-1"], Self.second: ["new_user": "u-1", "new_device": "d-1"]])
    #expect(plan.field("user_id")?.status == .ready && plan.field("user_id")?.proposed == "u-1")
  }

  @Test func `declared generations are told apart by file too`() throws {
    let files: [String: PropertyListDictionary] = [
      Self.first: ["new_device": "d-2"], Self.second: ["new_user": "u-1", "new_device": "d-1"],
    ]
    let user = try #require(try plan(files, Self.declared).field("user_id"))
    #expect(user.proposed == nil && user.status == .needsDecision)
    let message = try #require(user.findings.first).message
    #expect(message.contains("Acme's file") && message.contains("the app's defaults"))
  }

  @Test func `if one id of an older generation differs, an id that it lacks asks too`() throws {
    let plan = try plan([Self.first: ["new_user": "u-2", "new_device": "d-2", "old_device": "d-1"]])
    for (id, value) in [("user_id", "u-2"), ("device_id", "d-2")] {
      let field = try #require(plan.field(id))
      #expect(field.status == .needsDecision && field.proposed == .string(value), "\(id)")
      #expect(codes(field) == [.identityOlderGeneration], "\(id)")
    }
    // The same device belongs to the user who has logged in since.
    let same = try self.plan([Self.first: ["new_user": "u-2", "new_device": "d-1", "old_device": "d-1"]])
    #expect(same.fields.filter { $0.status == .ready }.count == 2)
  }

  @Test func `if nothing shows which of two generations is newer, an id that only one has asks`() throws {
    let text = Self.declared.replacing("[\"${bundle-id}\"]}", with: "[\"${bundle-id}\"], may-be-older: true}")
    let (user, nobody): (PropertyListDictionary, PropertyListDictionary) = (
      ["new_user": "u-1", "new_device": "d-1"], ["new_device": "d-1"]
    )
    for files in [[Self.first: user, Self.second: nobody], [Self.first: nobody, Self.second: user]] {
      let plan = try plan(files, text)
      #expect(plan.field("device_id")?.status == .ready)
      let field = try #require(plan.field("user_id"))
      #expect(field.status == .needsDecision && codes(field) == [.identityOlderGeneration])
      let values = [field.proposed] + field.alternatives.map(\.value)
      #expect(values == (files[Self.first] == user ? ["u-1"] : [nil, "u-1"]))
    }
    // One of them alone is not in doubt, nor are two that agree.
    for files in [[Self.first: user], [Self.second: user], [Self.first: user, Self.second: user]] {
      #expect(try plan(files, text).fields.filter { $0.status == .ready }.count == 2)
    }
  }

  @Test func `what the vendor's migrator writes comes from the generations that it reads`() throws {
    let text = Self.declared
      .replacing("[\"${bundle-id}\"]}", with: "[\"${bundle-id}\"], unread-by-migrator: true}")
      .replacing("from: [{key: new_user}", with: "migrated-by-vendor: true\n    from: [{key: new_user}")
      .replacing("\nread:", with: "\nmigrator: {name: Acme's migrator, runs: at-first-start}\nread:")
    func helper(_ files: [String: PropertyListDictionary]) throws -> Reading? {
      try plan(files, text).field("user_id")?.readings.helper
    }
    #expect(try helper([Self.first: ["new_user": "u-2"]]) == .nothing("it reads only values of Acme's file"))
    #expect(try helper([Self.second: ["new_user": "u-1"]]) == .value("u-1", note: nil))
    #expect(
      try helper([Self.first: ["new_user": "u-2"], Self.second: ["new_user": "u-1"]]) == .value("u-1", note: nil))
  }

  @Test func `what the migrator reads, but leaves because of the target's value, is not said to be unread`() throws {
    let text = Self.declared
      .replacing("[\"${bundle-id}\"]}", with: "[\"${bundle-id}\"], moved-by-migrator: after-the-others}")
      .replacing("from: [{key: new_user}", with: "migrated-by-vendor: true\n    from: [{key: new_user}")
      .replacing("\nread:", with: "\nmigrator: {name: Acme's migrator, runs: at-first-start}\nread:")
    let plan = try plan([Self.first: ["new_user": "u-2"], Self.target: ["user_id": "u-3"]], text)
    #expect(plan.field("user_id")?.proposed == "u-2")
    #expect(plan.field("user_id")?.readings.helper == .nothing(nil))
  }

  @Test func `what a file says of the app alone is no sign of a newer user`() throws {
    let plan = try plan([Self.first: ["new_version": "4.2"], Self.second: ["new_user": "u-1"]], Self.declared)
    #expect(plan.field("user_id")?.status == .ready)
  }

  @Test func `what the new SDK's own file has as well is no legacy value`() throws {
    let text = Self.declared.replacing("[\"${bundle-id}\"]}", with: "[\"${bundle-id}\"], new-sdk-has-it-too: true}")
    let container = { (target: String) in
      [
        Self.first: ["new_user": "u-2"], Self.second: ["new_user": "u-1"], Self.target: ["user_id": .string(target)],
      ] as [String: PropertyListDictionary]
    }
    #expect(try plan(container("u-2"), text).field("user_id")?.legacy == nil)
    #expect(try plan(container("u-3"), text).field("user_id")?.legacy == "u-2")
  }

  @Test func `ids of a container whose files name other values of a parameter than given are in doubt`() throws {
    let text = """
      \(acmeStart)
      legacy-sdk: Acme's SDK
      parameters: {space: {title: space}}
      read:
        - plist: "Library/acme_${space}.plist"
        - plist: Library/acme.plist
      write: {suite: "${bundle-id}.acme"}
      detect: [user]
      opt-out-keys: []
      fields:
        - {key: user_id, group: identity, form: string, from: [{key: user}]}
        - {key: version, group: app, form: string, from: [{key: version}]}
      """
    let recipe = try #require(RecipeFile.read(Array(text.utf8), vendors: vendors).file).recipe
    func plan(_ given: [String: String], _ others: [String]) throws -> Plan {
      let keys: PropertyListDictionary = ["user": "u-1", "version": "1"]
      let box = try container(Dictionary(uniqueKeysWithValues: (others + [Self.second]).map { ($0, keys) }))
      return Planner(try recipe.filled(given, in: box)).plan(box, now: Moment(secondsSince1970: 1_763_640_300))
    }
    let other = try plan(["space": "b"], ["Library/acme_a.plist"])
    #expect(other.field("user_id")?.status == .needsDecision && codes(other.field("user_id")) == [.sourceDoubtful])
    #expect(other.field("version")?.status == .ready)
    for sure in [
      try plan(["space": "a"], ["Library/acme_a.plist"]), try plan(["space": "b"], []),
      try plan([:], ["Library/acme_a.plist"]),
    ] {
      #expect(sure.field("user_id")?.status == .ready)
    }
  }

  @Test func `an empty id is none: in a source, and in the target`() throws {
    let plan = try plan([
      Self.first: ["new_user": "", "new_device": "d-1", "new_profile": ""],
      Self.target: ["user_id": "", "device_id": ""],
    ])
    let user = try #require(plan.field("user_id"))
    #expect(user.status == .absent && user.proposed == nil && user.findings.isEmpty)
    #expect(plan.field("device_id")?.status == .ready && plan.field("profile")?.proposed == "")
    let fresh = try self.plan([
      Self.first: ["new_user": "u-1", "new_device": "d-1"], Self.target: ["user_id": "", "device_id": "d-9"],
    ])
    #expect(fresh.field("user_id")?.status == .ready)
    #expect(codes(fresh.field("device_id")).contains(.targetFreshIdentity))
  }

  @Test(arguments: [
    "null", "(null)", "$device:", "$device:null", "<null>", "NULL", "nil", "undefined", "None", "NaN",
    "[object Object]", "Optional(\"u-1\")",
    "Optional(nil)", "00000000-0000-0000-0000-000000000000", "anonymousId", "user_id", "new_user",
  ])
  func `a text that stands for a missing id asks`(_ id: String) throws {
    let field = try plan([Self.first: ["new_user": .string(id)]]).field("user_id")
    #expect(field?.status == .needsDecision && field?.proposed == .string(id) && codes(field) == [.identityPlaceholder])
  }

  @Test(arguments: ["nullable", "0", "u-null", "undefined-7", "000"])
  func `an id that only resembles such a text does not`(_ id: String) throws {
    #expect(try plan([Self.first: ["new_user": .string(id)]]).field("user_id")?.status == .ready)
  }

  @Test func `if the file that is read first is damaged, what it could have supplied asks`() throws {
    let old: PropertyListDictionary = ["new_user": "u-2", "new_version": "7"]
    let plan = try plan([Self.second: old], damaged: [Self.first: [1, 2]])
    for id in ["user_id", "version"] {
      let field = try #require(plan.field(id))
      #expect(field.status == .needsDecision && field.proposed != nil && codes(field) == [.sourceHidden], "\(id)")
    }
    // No file has an id, and the damaged one could.
    #expect(plan.field("device_id")?.status == .needsDecision && plan.field("device_id")?.proposed == nil)
    #expect(plan.field("profile")?.status == .absent)
    // A damaged file that is read later hides nothing that the first one has.
    let later = try self.plan([Self.first: old], damaged: [Self.second: [1, 2]])
    #expect(later.field("user_id")?.status == .ready && later.field("version")?.status == .ready)
    #expect(later.field("device_id")?.status == .needsDecision)
  }

  @Test func `a value that a migration wrote and the app has removed is not written again without a question`() throws {
    let legacy: PropertyListDictionary = ["new_user": "u-1", "new_device": "d-1"]
    let earlier = SettledField(legacy: "u-1", left: "u-1", runID: "r")
    for target: PropertyListDictionary in [["device_id": "d-9"], ["device_id": "d-9", "user_id": ""]] {
      let plan = try plan([Self.first: legacy, Self.target: target], settled: ["user_id": earlier])
      let user = try #require(plan.field("user_id"))
      #expect(user.status == .needsDecision && user.proposed == "u-1" && codes(user) == [.targetRemovedSince])
      // The new SDK did not start without the user: the app has logged the user out.
      #expect(!codes(plan.field("device_id")).contains(.targetFreshIdentity))
    }
    // A value that a migration kept was not written by it.
    let kept = SettledField(legacy: "u-1", left: "u-3", runID: "r", isKept: true)
    let user = try plan([Self.first: legacy, Self.target: ["device_id": "d-9"]], settled: ["user_id": kept])
      .field("user_id")
    #expect(user?.status == .needsDecision && codes(user) == [.targetRemovedSince])
    #expect(user?.findings.first?.message.hasPrefix("A migration kept another user_id, and the value has") == true)
    let mark: PropertyListValue = ["version": 1, "fields": ["user_id", "device_id"]]
    let marked = try plan([Self.first: legacy, Self.target: ["device_id": "d-9", "carryover.restored": mark]])
    #expect(codes(marked.field("user_id")) == [.targetRemovedSince])
    // With --on-conflict, only what no finding flags is decided.
    #expect(marked.field("user_id")?.decision(nil, onConflict: .replace) == nil)
  }

  @Test func `a file that is a line of text is its value, and what looks damaged or encrypted is not`() throws {
    for (text, isRead) in [
      ("u-1", true), ("ada@acme.example", true), ("{\"a\":", false), ("bplist00", false), ("<plist>", false),
      ("u\u{7}", false),
      ("", false), ("u-1\n", false), (String(repeating: "a", count: 1025), false),
    ] {
      let plan = try plan([Self.first: [:]], damaged: [Self.file: Array(text.utf8)])
      let user = try #require(plan.field("user_id"))
      #expect(user.proposed == (isRead ? .string(text) : nil), "\(text.prefix(9))")
      // A later version of the SDK reads the file as a property list, in which such a text needs quotation marks.
      if isRead { #expect(codes(user) == (text.contains("@") ? [.sourceDoubtful] : []), "\(text)") }
      #expect(plan.findings.contains { $0.code == .sourceUnreadable } != isRead, "\(text.prefix(9))")
    }
    let bytes: [UInt8] = [0xC3, 0x28, 0x90]
    #expect(try plan([Self.first: [:]], damaged: [Self.file: bytes]).field("user_id")?.proposed == nil)
  }

  @Test func `lint asks for generations where they are not clear, and finds keys without one`() throws {
    func codes(_ text: String) -> [String] {
      RecipeFile.read(Array(text.utf8), vendors: vendors).issues.map(\.code.rawValue).filter {
        $0 > "R200" && $0 < "R400"
      }
    }
    #expect(codes(Self.text) == ["R219"])
    #expect(codes(Self.declared) == [])
    #expect(codes(Self.declared.replacing(", files: [\"${bundle-id}\"]", with: ", keys: [new_*]")) == [])
    #expect(codes(Self.declared.replacing("[new_*, old_*, file_id]", with: "[new_*, file_id]")) == [])
    #expect(
      codes(
        Self.declared.replacing(", files: [\"${bundle-id}\"]", with: ", keys: [new_*]")
          .replacing("[new_*, old_*, file_id]", with: "[file_id]")) == ["R220", "R220", "R220"])
    #expect(codes(Self.declared.replacing("files: [\"${bundle-id}\"]", with: "files: [other]")).contains("R212"))
  }
}

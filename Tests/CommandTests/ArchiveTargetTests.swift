@Suite("A keyed archive as the target") struct ArchiveTargetTests {
  private static let target = "Library/Caches/acme-data"
  private let folder = TemporaryFolder()
  private var container: String { folder.path("Data") }

  init() throws {
    try place(
      "Library/Preferences/com.acme.shop.plist",
      PropertyListDocument.encode(["acme_id": "u-1001", "acme_plan": "gold"], as: .binary))
  }

  private func place(_ path: String, _ bytes: [UInt8]) throws { try folder.place("Data/" + path, Data(bytes)) }

  private func recipe(to target: String = Self.target) throws -> String {
    let fields = ["acme_id", "acme_plan"].map { "{key: \($0), group: identity, form: string, from: [{key: \($0)}]}" }
    return try folder.recipe(
      id: "acme-archive",
      """
      read: [{suite: "${bundle-id}"}]
      write: {archive: "\(target)"}
      detect: [acme_id]
      opt-out-keys: []
      fields: [\(fields.joined(separator: ", "))]
      """)
  }

  private func run(_ command: String, _ options: String...) throws -> Tool.Result {
    let file = try recipe()
    #expect(try Tool.carryover("recipe", "trust", file, "--yes").status == 0)
    return try Tool.carryover([command, container, "--recipe", file] + options)
  }

  private func written() throws -> NSDictionary {
    let data = try Data(contentsOf: URL(fileURLWithPath: container + "/" + Self.target))
    return try #require(try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(data) as? NSDictionary)
  }

  private func foundation(_ id: String) throws -> [UInt8] {
    let root: NSDictionary = [
      "acme_id": id, "site": try #require(NSURL(string: "https://acme.com")), "none": NSNull(), "cache": ["x", 7],
    ]
    return [UInt8](try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false))
  }

  @Test func `a new archive is what Foundation reads, and a rollback removes it`() throws {
    let before = try FileState.files(under: container)
    try run("apply", "--yes").ended()
    #expect(try written() == ["acme_id": "u-1001", "acme_plan": "gold"])
    #expect(try run("plan").output.contains("2 unchanged"))
    #expect(try run("cleanup", "--yes").error.contains("A cleanup cannot check a target that is a keyed archive."))
    #expect(try Tool.carryover("history", container, "--check").status == 0)
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    #expect(try FileState.files(under: container) == before)
    #expect(try run("apply", "--yes").status == 0)
    #expect(try written()["acme_id"] as? String == "u-1001")
  }

  @Test func `of an existing archive, only the keys change; a key's rollback keeps what the app wrote since`() throws {
    // Foundation writes the pairs in another order each time.
    let archive = try foundation("u-7")
    try place(Self.target, archive)
    let before = try FileState.files(under: container)
    #expect(try run("apply", "--yes").status == 3)
    try run("apply", "--on-conflict", "replace", "--yes").ended()
    let after = try written()
    #expect(after["acme_id"] as? String == "u-1001" && after["acme_plan"] as? String == "gold" && after.count == 5)
    #expect((after["site"] as? NSURL)?.absoluteString == "https://acme.com" && after["none"] is NSNull)
    #expect((after["cache"] as? [Any])?.count == 2)
    #expect(try Tool.carryover("rollback", container, "--only", "acme_plan", "--yes").status == 0)
    #expect(try written()["acme_plan"] == nil && written()["acme_id"] as? String == "u-1001")
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    #expect(try written()["acme_id"] as? String == "u-7")
    try FileManager.default.removeItem(atPath: container + "/.carryover")
    try place(Self.target, archive)
    #expect(try run("apply", "--on-conflict", "replace", "--yes").status == 0)
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    #expect(try FileState.files(under: container) == before)
  }

  @Test func `what the SDK could not read as its archive is never replaced`() throws {
    let plain = try PropertyListDocument.encode(["acme_id": "u-7"], as: .binary)
    var odd = try KeyedArchive.encode(["acme_id": "u-7", "note": .string("\u{FFFD}…")])
    // The first half of a surrogate pair alone.
    if let place = odd.indices.first(where: { odd[$0...].starts(with: [0xFF, 0xFD, 0x20, 0x26]) }) {
      odd.replaceSubrange(place..<(place + 2), with: [0xD8, 0x3D])
    }
    let files: [[UInt8]] = [
      [], Array("{\"acme_id\":\"u-7\"}".utf8), Array("encrypted".utf8), plain, odd,
      Array(try KeyedArchive.encode(["u-7"])), Array(try foundation("u-7").dropLast(40)),
    ]
    for bytes in files {
      try place(Self.target, bytes)
      let before = try FileState.files(under: container)
      try run("plan").prints("target.unreadable")
      try run("apply", "--on-conflict", "replace", "--yes").ended(1, saying: "target.unreadable")
      #expect(try FileState.files(under: container) == before)
    }
    try place(Self.target, KeyedArchive.encode(["acme_id": 7]))
    #expect(try run("plan").output.contains("target.wrong-type"))
  }

  @Test func `Statsig's stable id is migrated in a downloaded container, and rolled back to the byte`() throws {
    let package = folder.path("App.xcappdata")
    let key = "com.Statsig.InternalStore.stableIDKey"
    try folder.place(
      "App.xcappdata/AppData/Library/Preferences/com.acme.shop.plist",
      Data(PropertyListDocument.encode([key: "9F1C2A7E"], as: .binary)))
    let file = package + "/AppData/Library/Caches/statsig-cache-data"
    for archive in [nil, try foundation("u-7")] {
      if let archive { try folder.place("App.xcappdata/AppData/Library/Caches/statsig-cache-data", Data(archive)) }
      let before = try FileState.files(under: package)
      try Tool.carryover("apply", package, "--recipe", "statsig-to-file", "--yes").ended()
      let data = try Data(contentsOf: URL(fileURLWithPath: file))
      let root = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(data) as? NSDictionary
      #expect(root?[key] as? String == "9F1C2A7E" && root?.count == (archive == nil ? 1 : 5))
      #expect(try Tool.carryover("rollback", package, "--yes").status == 0)
      var after = try FileState.files(under: package)
      // The folder of caches was not there.
      if archive == nil { after["AppData/Library/Caches"] = before["AppData/Library/Caches"] }
      #expect(after == before)
    }
  }

  @Test func `a value that a rollback could not restore is never replaced, and never counts as equal`() throws {
    let id = "9F1C2A7E-6B0D-4C35-8E21-000000000001"
    try place(
      "Library/Preferences/com.acme.shop.plist", PropertyListDocument.encode(["acme_id": .string(id)], as: .binary))
    let link = try #require(NSURL(string: "https://acme.com"))
    for value: Any in [try #require(NSUUID(uuidString: id)), link, ["x": link], NSOrderedSet(array: [id])] {
      let root: NSDictionary = ["acme_id": value, "n": 7]
      try place(Self.target, [UInt8](NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)))
      let before = try FileState.files(under: container)
      let plan = try run("plan").output
      #expect(plan.contains("target.wrong-type") && plan.contains("target.unreadable"), "\(plan)")
      let applied = try run("apply", "--accept", "acme_id", "--on-conflict", "replace", "--yes")
      #expect(applied.status != 0 && applied.error.contains("A rollback could not restore"), "\(applied.error)")
      #expect(try FileState.files(under: container) == before)
    }
  }

  @Test func `a rollback of one key does not edit a file that is no archive any more`() throws {
    try place(Self.target, foundation("u-7"))
    #expect(try run("apply", "--on-conflict", "replace", "--yes").status == 0)
    try place(Self.target, PropertyListDocument.encode(["acme_id": "u-1001", "acme_plan": "gold"], as: .binary))
    let before = try FileState.files(under: container).filter { !$0.key.hasPrefix(".carryover") }
    #expect(try Tool.carryover("rollback", container, "--only", "acme_id", "--yes").status != 0)
    #expect(try FileState.files(under: container).filter { !$0.key.hasPrefix(".carryover") } == before)
  }

  @Test func `of a property list by itself, the archive is beside it`() throws {
    let key = "com.Statsig.InternalStore.stableIDKey"
    let (list, file) = (folder.path("Bare/com.acme.shop.plist"), folder.path("Bare/statsig-cache-data"))
    try folder.place("Bare/com.acme.shop.plist", Data(PropertyListDocument.encode([key: "9F1C2A7E"], as: .binary)))
    try Tool.carryover("apply", list, "--recipe", "statsig-to-file", "--yes").ended()
    let root = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(Data(contentsOf: URL(fileURLWithPath: file)))
    #expect(root as? NSDictionary == [key: "9F1C2A7E"])
    #expect(try Tool.carryover("plan", list, "--recipe", "statsig-to-file").output.contains("1 unchanged"))
    #expect(try Tool.carryover("rollback", list, "--yes").status == 0)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `a link in the place of the archive is not followed`() throws {
    let archive = try foundation("u-7")
    let (from, place) = (container + "/outside", container + "/" + Self.target)
    try self.place("outside", archive)
    try self.place("Library/Caches/other", [])
    for isHard in [false, true] {
      if isHard {
        try FileManager.default.linkItem(atPath: from, toPath: place)
      } else {
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: from)
      }
      #expect(try run("apply", "--on-conflict", "replace", "--yes").status != 0)
      #expect(try Array(Data(contentsOf: URL(fileURLWithPath: from))) == archive)
      try FileManager.default.removeItem(atPath: place)
    }
  }

  @Test func `the values of an archive are masked, and shown by inspect as in any store`() throws {
    try place(Self.target, foundation("u-7777"))
    let plan = try run("plan", "--redact")
    #expect(!plan.output.contains("u-7777") && !plan.output.contains("u-1001"), "\(plan.output)")
    let report = try run("report")
    #expect(!report.output.contains("u-7777") && report.output.contains(Self.target), "\(report.output)\(report.error)")
    #expect(try run("plan", "--json").json()["fields"] != nil)
    try run("inspect").prints(Self.target, "acme_id")
  }

  @Test(arguments: [
    ("Library/acme", "R105"), ("Library/Preferences/acme", "R105"), ("Library/Application Support/acme", "R105"),
    ("Documents/acme/x", "R105"), ("Library/Caches/acme.db", "R105"), ("Library/Caches/a/acme", "R105"),
    ("Library/Caches/${bundle-id}", "R105"), ("Library/Application Support/acme/x.plist", "R105"),
    ("Library/Application Support/.acme/x", "R105"), ("Library/Application Support/com.apple.x/y", "R302"),
    ("Library/Caches/acme-data", "R106"), ("Library/Application Support/acme/x.data", "0 errors"),
  ])
  func `a recipe's archive is in an SDK's own folder, or in the caches`(_ target: String, _ code: String) throws {
    try Tool.carryover("recipe", "lint", try recipe(to: target)).prints(code)
  }
}

@Suite("A folder of JSON files as the target") struct JSONTargetTests {
  private static let legacy = "Library/Application Support/com.acme.shop"
  private static let target = legacy + "/phc_1"
  private let folder = TemporaryFolder()
  private var container: String { folder.path("Data") }

  init() throws {
    try place("Library/Preferences/com.acme.shop.plist", "")
    try place(Self.legacy + "/posthog.anonymousId", #"{"posthog.anonymousId":"A-1"}"#)
    try place(Self.legacy + "/posthog.distinctId", #"{"posthog.distinctId":"u-1001"}"#)
    try place(Self.legacy + "/posthog.optOut", #"{"posthog.optOut":true}"#)
  }

  private func place(_ path: String, _ text: String) throws { try folder.place("Data/" + path, Data(text.utf8)) }

  private func run(_ command: String, _ options: String...) throws -> Tool.Result {
    try Tool.carryover([command, container, "--recipe", "posthog-before-3-20", "-P", "project-token=phc_1"] + options)
  }

  private func text(_ key: String) throws -> String {
    try String(contentsOfFile: "\(container)/\(Self.target)/\(key)", encoding: .utf8)
  }

  private func recipe(to target: String, keys: [String], key: String, in store: String) throws -> String {
    let fields = keys.map { "{key: \"\($0)\", group: identity, form: string, from: [{key: \(key)}]}" }
    return try folder.recipe(
      id: "acme-json",
      """
      read: [\(store)]
      write: {json-files: "\(target)"}
      detect: [\(key)]
      opt-out-keys: []
      fields: [\(fields.joined(separator: ", "))]
      """)
  }

  @Test func `each value gets a file of its own; a rollback removes the files and their folder`() throws {
    let before = try FileState.files(under: container)
    try run("apply", "--accept", "posthog.optOut", "--yes").ended()
    #expect(try text("posthog.anonymousId") == #"{"posthog.anonymousId":"A-1"}"#)
    #expect(try text("posthog.distinctId") == #"{"posthog.distinctId":"u-1001"}"#)
    #expect(try text("posthog.optOut") == #"{"posthog.optOut":true}"#)
    #expect(!FileManager.default.fileExists(atPath: "\(container)/\(Self.target)/posthog.isIdentified"))
    #expect(try run("plan").output.contains("3 unchanged"))
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    #expect(try FileState.files(under: container) == before)
    #expect(!FileManager.default.fileExists(atPath: container + "/" + Self.target))
  }

  @Test func `of an existing file, only the value changes; a single key is rolled back alone`() throws {
    try place(Self.target + "/posthog.distinctId", "{\n  \"note\" : 1.50,\n  \"posthog.distinctId\" : \"u-7\"\n}\n")
    let before = try FileState.files(under: container)
    try run("apply", "--accept", "posthog.optOut", "--on-conflict", "replace", "--yes").ended()
    #expect(try text("posthog.distinctId") == "{\n  \"note\" : 1.50,\n  \"posthog.distinctId\" : \"u-1001\"\n}\n")
    try Tool.carryover("rollback", container, "--only", "posthog.anonymousId", "--yes").ended()
    #expect(!FileManager.default.fileExists(atPath: "\(container)/\(Self.target)/posthog.anonymousId"))
    #expect(try text("posthog.distinctId").contains("u-1001"))
    #expect(try run("plan").output.contains("target.rolled-back"))
    try Tool.carryover("rollback", container, "--yes").ended()
    #expect(try FileState.files(under: container) == before)
  }

  @Test func `a value that the new SDK does not read is a finding; a file without keys stops the apply`() throws {
    try place(Self.target + "/posthog.distinctId", #"{"posthog.distinctId":7}"#)
    #expect(try run("plan").output.contains("target.wrong-type"))
    for text in ["[1]", "{", "\"u-7\"", ""] {
      try place(Self.target + "/posthog.distinctId", text)
      let before = try FileState.files(under: container)
      #expect(try run("plan").output.contains("target.unreadable"), "\(text)")
      #expect(try run("apply", "--accept", "posthog.optOut", "--yes").status != 0, "\(text)")
      #expect(try FileState.files(under: container) == before)
    }
  }

  @Test func `a link in the place of the folder or of a file is not followed`() throws {
    let outside = folder.path("outside")
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    let place = container + "/" + Self.target
    try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: outside)
    #expect(try run("apply", "--accept", "posthog.optOut", "--yes").status != 0)
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: place + "/posthog.distinctId", withDestinationPath: outside + "/new")
    #expect(try run("apply", "--accept", "posthog.optOut", "--yes").status != 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == [])
  }

  @Test func `a folder with a short name is made for several files`() throws {
    let file = try recipe(
      to: "Library/Application Support/x", keys: ["a", "b"], key: "posthog.distinctId",
      in: #"{file: "Library/Application Support/com.acme.shop/posthog.distinctId", as: posthog.distinctId}"#)
    let digest = try Tool.digest(of: file)
    try FileManager.default.removeItem(atPath: container + "/" + Self.legacy + "/posthog.optOut")
    try Tool.carryover("apply", container, "--recipe", file, "--trust", digest, "--yes").ended()
    #expect(FileManager.default.fileExists(atPath: container + "/Library/Application Support/x/b"))
  }

  @Test func `another project's folder shows its token, and two of them ask for one`() throws {
    try place(Self.target + "/posthog.anonymousId", #"{"posthog.anonymousId":"A-1"}"#)
    try Tool.carryover("plan", container).prints("phc_1")
    try place(Self.legacy + "/phc_2/posthog.anonymousId", #"{"posthog.anonymousId":"A-2"}"#)
    try Tool.carryover("plan", container).ended(64, saying: "phc_1, phc_2")
  }

  @Test(
    "a recipe's folder is below Library/Application Support, and its keys are file names",
    arguments: [
      ("Library/Application Support", "id", "R105"), ("Library/Preferences/acme", "id", "R105"),
      ("Documents/acme", "id", "R105"), ("Library/Application Support/../x", "id", "R105"),
      ("Library/Application Support/.acme", "id", "R105"), ("Library/Application Support/acme", "a/b", "R105"),
      ("Library/Application Support/acme", ".id", "R105"), ("Library/Application Support/acme", "id.plist", "R105"),
      ("Library/Application Support/com.apple.acme/x", "id", "R302"),
    ])
  func confined(_ target: (folder: String, key: String, code: String)) throws {
    let file = try recipe(to: target.folder, keys: [target.key], key: "acme_id", in: #"{suite: "${bundle-id}"}"#)
    try Tool.carryover("recipe", "lint", file).prints(target.code)
  }
}

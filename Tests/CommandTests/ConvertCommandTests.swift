@Suite("Convert's data on the command line") struct ConvertCommandTests {
  private static let visitor = "550E8400-E29B-41D4-A716-446655440000"
  private static let preferences = "AppData/Library/Preferences/com.acme.shop.plist"

  private func container(_ code: String, mirror: String?) throws -> SampleCopy {
    let sample = try SampleCopy("Findings/" + code)
    var keys: PropertyListDictionary = ["launchCount": 17]
    if let mirror { keys[ConvertNames.visitorMirror] = .string(mirror) }
    let bytes = try PropertyListDocument.encode(.dictionary(keys), as: .binary)
    try Data(bytes).write(to: URL(fileURLWithPath: sample.path + "/" + Self.preferences))
    return sample
  }

  private func mirror(_ container: String) throws -> PropertyListValue? {
    let data = try Data(contentsOf: URL(fileURLWithPath: container + "/" + Self.preferences))
    guard case .dictionary(let keys) = try PropertyListDocument(bytes: Array(data)).root else { return nil }
    #expect(keys["launchCount"] == 17)
    return keys[ConvertNames.visitorMirror]
  }

  @Test func `a lost mirror is filled from the decisions, without a write key, and rolled back (C1)`() throws {
    let sample = try container("convert.uploading", mirror: nil)
    defer { withExtendedLifetime(sample) {} }
    let path = sample.path
    let others = try FileState.files(under: path).filter { !$0.key.contains("Preferences") }
    let plan = try Tool.carryover("plan", path, "--json").json()
    #expect((plan["recipe"] as? [String: Any])?["id"] as? String == "convert-ios")
    try Tool.carryover("apply", path, "--yes").ended()
    #expect(try mirror(path) == .string(Self.visitor))
    try Tool.carryover("apply", path, "--yes").ended()
    try Tool.carryover("rollback", path, "--yes").ended()
    #expect(try mirror(path) == nil)
    let left = try FileState.files(under: path).filter {
      !$0.key.contains("Preferences") && !$0.key.contains(".carryover")
    }
    #expect(left == others)
  }

  @Test func `ids that differ need a decision, and the one that is given is written (C1)`() throws {
    let sample = try container("convert.ids-differ", mirror: "OTHER")
    defer { withExtendedLifetime(sample) {} }
    let path = sample.path
    let undecided = try Tool.carryover("apply", path, "--yes")
    #expect(undecided.status == 2 && !undecided.error.contains("--accept"), "\(undecided.error)")
    #expect(try mirror(path) == "OTHER")
    try Tool.carryover("apply", path, "--yes", "--set", "\(ConvertNames.visitorMirror)=\(Self.visitor)").ended()
    #expect(try mirror(path) == .string(Self.visitor))
  }

  @Test func `A saved plan is stale where any of Convert's files has changed since, and nothing is written`() throws {
    let support = "AppData/Library/Application Support/"
    for name in [
      "convert-decision-store.json", "com.convertexperiments.sdk/event-queue.json",
      "com.convertexperiments.sdk/config-acme-shop-live.json", "com.convertexperiments.sdk/config-new.json",
      "com.convertexperiments.sdk/event-queue.uploading",
    ] {
      let sample = try container("convert.queue-corrupt", mirror: nil)
      let (path, plan) = (sample.path, sample.folder.path("plan.json"))
      #expect(try Tool.carryover("plan", path, "-o", plan).status == 0)
      #expect(try !String(contentsOfFile: plan, encoding: .utf8).contains("10022898-10025986-"))
      try Data("[{".utf8).write(to: URL(fileURLWithPath: path + "/" + support + name))
      let stale = try Tool.carryover("apply", plan, "--yes")
      #expect(stale.status == 4 && stale.error.contains(name), "\(name): \(stale.error)")
      #expect(try mirror(path) == nil)
    }
    let sample = try container("convert.queue-corrupt", mirror: nil)
    let (path, plan) = (sample.path, sample.folder.path("plan.json"))
    #expect(try Tool.carryover("plan", path, "-o", plan).status == 0)
    try Tool.carryover("apply", plan, "--yes").ended()
    #expect(try mirror(path) == .string(Self.visitor))
  }

  @Test func `inspect names each file and how it stands, as text and by the schema`() throws {
    let sample = try container("convert.uploading", mirror: Self.visitor)
    defer { withExtendedLifetime(sample) {} }
    let path = sample.path
    let text = try Tool.carryover("inspect", path).output
    for words in [
      "1 event of 1 visitor. It was being sent", "with counted goals and segments: of 1 visitor.",
      "A configuration that Convert's SDK has cached.", "is Convert's visitor id", "convert-decision-store.json",
      "event-queue.uploading\n  i Convert's SDK is sending its queue",
    ] {
      #expect(text.contains(words), "\(words): \(text)")
    }
    let json = try Tool.carryover("inspect", path, "--json").json("inspect-1")
    let remarks = (json["stores"] as? [[String: Any]] ?? []).flatMap { $0["remarks"] as? [[String: Any]] ?? [] }
    #expect(remarks.map { $0["is"] as? String } == ["configuration", "queue", "decisions", "mirror"])
    #expect(remarks[1]["events"] as? Int == 1 && remarks[1]["state"] as? String == "uploading")
    #expect((json["signs"] as? [[String: Any]])?.count == 1)
  }

  @Test func `A visitor whose id is no UUID is in no redacted output`() throws {
    for id in ["alice", "4711", "u-42", "Jane Roe", Self.visitor] {
      let sample = try container("convert.uploading", mirror: nil)
      defer { withExtendedLifetime(sample) {} }
      let path = sample.path
      let file = URL(fileURLWithPath: path + "/AppData/Library/Application Support/convert-decision-store.json")
      let decisions = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(of: Self.visitor, with: id)
      try Data(decisions.utf8).write(to: file)
      for arguments in [
        ["inspect", path, "--redact"], ["inspect", path, "--redact", "--json"], ["plan", path, "--redact"],
        ["plan", path, "--redact", "--json"], ["report", path], ["report", path, "--json"],
      ] {
        let result = try Tool.carryover(arguments).ended()
        #expect(!result.output.contains(id), "\(arguments) \(id): \(result.output)")
      }
    }
  }
}

@Suite("Mixpanel") struct MixpanelTests {
  private static let token = "0123456789abcdef0123456789abcdef"
  private static let optOut = "mixpanel-\(token)-OptOutStatus"
  private static let file = "AppData/Library/Preferences/Mixpanel.plist"
  private let sample: SampleCopy
  private var container: String { sample.path }

  init() throws { sample = try SampleCopy("Findings/consent.migrated") }

  private func values() throws -> [String: NSObject] {
    try #require(try Tool.keys(of: container + "/" + Self.file) as? [String: NSObject])
  }

  @Test func `every value is where the Swift SDK reads it, to the byte, and rolled back again`() throws {
    let before = try FileState.files(under: container)
    let legacy = try values()
    try Tool.carryover("apply", container, "--accept", Self.optOut, "--yes").ended()
    let written = try values()
    let names = legacy.keys.map { $0.dropFirst("mixpanel-\(Self.token)".count) }
    #expect(names.count == 6)
    for name in names {
      let value = try #require(written["mixpanel-\(Self.token)-\(name)"], "\(name)")
      #expect(value == legacy["mixpanel-\(Self.token)\(name)"])
      // The Swift SDK casts to Bool, which a number on disk would not survive.
      if name == "OptOutStatus" { #expect(isBoolean(value)) }
    }
    #expect(legacy.allSatisfy { written[$0] == $1 }, "the legacy values stay")
    #expect(try Tool.carryover("apply", container, "--yes").output.contains("unchanged"))
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    #expect(try FileState.files(under: container) == before)
  }

  @Test func `no decision leaves an opt-out behind without the option that says so`() throws {
    let before = try FileState.files(under: container)
    for options in [
      [], ["--skip", Self.optOut], ["--only", "mixpanel-\(Self.token)-MPUserId"], ["--set", "\(Self.optOut)=false"],
    ] {
      let applied = try Tool.carryover(["apply", container, "--yes"] + options)
      #expect(applied.status == 2, "\(options): \(applied.error)")
    }
    #expect(try FileState.files(under: container) == before)
    try Tool.carryover("apply", container, "--yes", "--skip", Self.optOut, "--allow-opted-out").ended()
  }

  @Test func `the permission to leave an opt-out behind holds for one run; unreadable ones count too`() throws {
    let user = "mixpanel-\(Self.token)-MPUserId"
    try Tool.carryover("apply", container, "--yes", "--skip", Self.optOut, "--skip", user, "--allow-opted-out").ended()
    try Tool.carryover("apply", container, "--yes", "--set", "\(user)=u-1001").ended(2, saying: "consent.opted-out")
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)

    try Tool.edit(container + "/" + Self.file, "values['mixpanel-\(Self.token)OptOutStatus'] = 'true'")
    try Tool.carryover("apply", container, "--yes", "--skip", Self.optOut).ended(2, saying: "consent.opted-out")
    try Tool.carryover("apply", container, "--yes", "--set", "\(Self.optOut)=true").ended()
  }

  @Test func `the project token comes from the container; -P gives it, and a wrong one is refused`() throws {
    let plan = try Tool.carryover("plan", container, "--json").json()
    #expect((plan["recipe"] as? [String: Any])?["id"] as? String == "mixpanel-objc")
    try Tool.carryover("plan", container, "-P", "token=ABC").ended(64, saying: "project token")
    #expect(
      try Tool.carryover("plan", container, "-P", "tokn=ff").error.contains("no recipe here has such a parameter"))
    try Tool.carryover("plan", container, "-P", "token=ff", "--json").ended(printing: "mixpanel-ff-MPDistinctID")
    try Tool.carryover("plan", SampleCopy.original("AcmeShop").path, "--recipe", "mixpanel-objc").ended(
      64, saying: "-P token=VALUE")
  }

  @Test func `a saved plan keeps its parameters, for each recipe, and plans without them are read`() throws {
    try Tool.edit(
      container + "/" + Self.file,
      "values.update({key.replace('\(Self.token)', 'f' * 32): value for key, value in values.items()})")
    let accept = ["--accept", Self.optOut, "--yes"]
    #expect(try Tool.carryover("plan", container).error.contains("several values"))
    let plan = sample.folder.path("p.json")
    try Tool.carryover("plan", container, "-P", "token=\(Self.token)", "-o", plan).ended()
    let saved = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: plan))) as? [String: Any])
    let request = try #require(saved["request"] as? [String: Any])
    #expect(request["parameters"] as? [String: String] == ["token": Self.token])
    #expect(try SchemaCheck("plan-1").problems(saved) == [])
    let other = try Tool.carryover(["apply", plan, "-P", "token=ff"] + accept)
    #expect(other.status == 64 && other.error.contains("--parameter would make another plan"), "\(other.error)")
    try Tool.carryover(["apply", plan] + accept).ended()
    #expect(try values()["mixpanel-\(Self.token)-MPUserId"] != nil)
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    var earlier = saved
    earlier["request"] = request.filter { $0.key != "parameters" }
    try JSONSerialization.data(withJSONObject: earlier).write(to: URL(fileURLWithPath: plan))
    #expect(try Tool.carryover(["apply", plan] + accept).status == 64)
    try Tool.carryover(["apply", plan, "-P", "token=\(Self.token)"] + accept).ended()
    for wrong in [["token": "a/b"], ["write-key": "x"]] {
      earlier["request"] = request.merging(["parameters": wrong]) { $1 }
      try JSONSerialization.data(withJSONObject: earlier).write(to: URL(fileURLWithPath: plan))
      try Tool.carryover(["apply", plan] + accept).ended(1, saying: "parameters")
    }
  }

  @Test func `the verdict says that the update logs the user out, because nothing reads the legacy keys`() throws {
    let said = try Tool.carryover("diagnose", container).output
    let optOut = "The update would track this user, who has opted out"
    #expect(
      said.hasPrefix("✗ Likely: \(optOut); the update would log this user out:"), "\(said)")
  }

  private func isBoolean(_ value: NSObject) -> Bool {
    guard let number = value as? NSNumber else { return false }
    return String(cString: number.objCType) == "c" || number === NSNumber(value: true)
  }
}

@Suite("carryover inspect --sdks") struct SDKsTests {
  private let folder = TemporaryFolder()
  private var container: String { folder.path("Data") }

  private func place(_ path: String, _ bytes: [UInt8]) throws { try folder.place("Data/" + path, Data(bytes)) }

  private func preferences(_ values: PropertyListValue) throws {
    try place("Library/Preferences/com.acme.shop.plist", try PropertyListDocument.encode(values, as: .binary))
  }

  @Test func `every SDK that left data is named, by keys, by their beginnings and by files; others are not`() throws {
    try preferences(["mParticle::mpid": 7, "rl_anonymous_id": "9F1C2A7E", "launchCount": 3])
    try place("Documents/AdjustIoActivityState", [1])
    try place(
      "Library/Application Support/com.acme.shop/posthog.distinctId", Array(#"{"posthog.distinctId":"u-7"}"#.utf8))
    let shown = try Tool.carryover("inspect", container, "--sdks").ended()
    for text in ["mParticle", "mParticle::mpid", "Adjust", "AdjustIoActivityState", "PostHog", "RudderStack Obj-C"] {
      #expect(shown.output.contains(text), "\(text)")
    }
    #expect(shown.output.contains("--recipe rudderstack-objc") && !shown.output.contains("Statsig"))
    #expect(!shown.output.contains("launchCount"))
  }

  @Test func `a recipe for another change than an update is named with the SDK whose data it reads`() throws {
    try preferences(["com.Statsig.InternalStore.stableIDKey": "9F1C2A7E"])
    let shown = try Tool.carryover("inspect", container, "--sdks").output
    #expect(shown.contains("An update keeps the stable id.") && shown.contains("--recipe statsig-to-file"), "\(shown)")
    #expect(!shown.contains("change of vendor"))
  }

  @Test func `data in a place that a recipe does not read is named, and so is a member of a dictionary`() throws {
    try preferences([
      "acme.main.prod": ["tealium_visitor_id": "9F1C2A7E"], "PHGDistinctId": "u-7", "PHGVersionKey": "1.0",
    ])
    try place("Library/com.amplitude.database_second", Array("SQLite format 3".utf8))
    let shown = try Tool.carryover("inspect", container, "--sdks").output
    for text in [
      "Tealium", "Amplitude Obj-C", "com.amplitude.database_second", "default instance only", "PHGDistinctId",
      "Cannot tell what an update loses.",
    ] {
      #expect(shown.contains(text), "\(text): \(shown)")
    }
    #expect(!shown.contains("u-7") && !shown.contains("PHGVersionKey"))
    let verdict = try Tool.carryover(
      "diagnose", container, "--recipe", "posthog-before-3-20", "-P", "project-token=phc_1"
    ).output
    #expect(verdict.contains("Cannot tell") && verdict.contains("PHG"), "\(verdict)")
    let amplitude = try Tool.carryover("diagnose", container, "--recipe", "amplitude-objc", "--write-key", "k").output
    #expect(amplitude.contains("Cannot tell") && amplitude.contains("com.amplitude.database_second"))
  }

  @Test func `no link is followed, and a folder is not a file`() throws {
    try preferences(["launchCount": 3])
    let outside = folder.path("outside")
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: outside + "/AdjustIoActivityState"))
    try FileManager.default.createSymbolicLink(atPath: container + "/Documents", withDestinationPath: outside)
    try FileManager.default.createDirectory(
      atPath: container + "/Library/Application Support/com.acme.shop/posthog.distinctId",
      withIntermediateDirectories: true)
    let shown = try Tool.carryover("inspect", container, "--sdks")
    #expect(!shown.output.contains("Adjust") && !shown.output.contains("PostHog"), "\(shown.output)")
  }

  @Test func `the document suits its schema, and a container without an SDK has none`() throws {
    try preferences(["launchCount": 3])
    let none = try Tool.carryover("inspect", container, "--sdks", "--json").json()
    #expect((none["sdks"] as? [Any])?.isEmpty == true)
    try preferences(["PiwikVisitorIDKey": "x", "SEGAnonymousId": "u-2"])
    try place(
      "Library/Preferences/Mixpanel.plist",
      try PropertyListDocument.encode(["mixpanel-ff-MPDistinctID": "u-1001"], as: .binary))
    let output = try Tool.carryover("inspect", container, "--sdks", "--json")
    let sdks = try #require(try output.json("sdks-1")["sdks"] as? [[String: Any]])
    #expect(
      sdks.map { $0["recipes"] as? [String] } == [
        ["segment-objc", "segment-to-rudderstack"], ["mixpanel-to-rudderstack"], [],
      ])
    #expect(!output.output.contains("u-1001"))
  }

  @Test func `two tokens are said, and options that choose stores are refused`() throws {
    try preferences(["launchCount": 3])
    for token in ["ff01", "ff02"] {
      try place(
        "Library/mixpanel-\(token)-properties.plist", try KeyedArchive.encode(["distinctId": .string("u-\(token)")]))
    }
    #expect(try Tool.carryover("inspect", container, "--sdks").output.contains("ff01, ff02"))
    #expect(try Tool.carryover("inspect", container, "--sdks", "--key", "launchCount").status == 64)
  }

  @Test func `the page has a row for every SDK without a recipe, with the sentences that are printed`() throws {
    let page = try String(contentsOf: packageRoot.appendingPathComponent("Documentation/SDKs.md"), encoding: .utf8)
    let table = try #require(page.components(separatedBy: "| SDK | recognised by | an update |\n|---|---|---|\n").last)
    let rows = table.split(separator: "\n").prefix { $0.hasPrefix("| ") }.map {
      $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(rows.map { $0[0] } == KnownSDK.all.map(\.name))
    #expect(rows.map { $0[2].replacing("`", with: "") } == KnownSDK.all.map(\.update))
  }
}

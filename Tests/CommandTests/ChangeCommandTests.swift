@Suite("Getting, setting and deleting values from the command line") struct ChangeCommandTests {
  private static let store = "com.acme.shop.plist"
  private static let path = "AppData/Library/Preferences/com.acme.shop.plist"

  private func keys(_ sample: SampleCopy) throws -> [String: Any] { try Tool.keys(of: sample.path + "/" + Self.path) }

  private func tool(_ sample: SampleCopy, _ command: String, _ arguments: String...) throws -> Tool.Result {
    try Tool.carryover([command, sample.path] + arguments)
  }

  @Test func `prints one value on one line`() throws {
    let sample = try SampleCopy("AcmeShop")
    for (key, value) in [
      ("launchCount", "173"), ("onboardingDone", "true"), ("draftOrder.note", "ring twice"),
      ("draftOrder.lines[0].sku", "A-100"), ("basket[1].sku", "B-205"), ("cartTotal", "129.95"),
      ("firstLaunch", "2024-03-09T08:30:15Z"), ("recentSearches", #"["socks","crêpe pan","コーヒー"]"#),
      ("draftOrder", #"{"version":2,"lines":[{"sku":"A-100","quantity":2}],"note":"ring twice"}"#), ("emptyNote", ""),
    ] {
      let result = try tool(sample, "get", Self.store, key).ended()
      #expect(result.output == value + "\n", "\(key)")
    }
    #expect(try tool(sample, "get", Self.store, "pushToken", "--secrets").output.hasPrefix("00081018"))
    let json = try tool(sample, "get", Self.store, "launchCount", "--json").ended().json("value-1")
    #expect(json["type"] as? String == "integer" && json["value"] as? String == "173")
    #expect(json["store"] as? String == Self.path && json["key"] as? String == "launchCount")
    try tool(sample, "get", Self.store, "launchCuont").ended(1, saying: "has no value launchCuont", "launchCount")
    try tool(sample, "get", "shop.plist", "launchCount").ended(64, saying: "no property list or JSON file “shop.plist”")
    try tool(sample, "get", "../" + Self.store, "launchCount").ended(64, saying: "no property list or JSON file")
    try tool(sample, "get", Self.store, "a..b").ended(64, saying: "is not a key")
    try tool(sample, "get", Self.store, "rl_auth_token").ended(1, saying: "is or contains a secret")
    #expect(
      try tool(sample, "get", Self.store, "rl_auth_token", "--secrets").ended().output
        == "example-token-not-a-real-secret\n")
    #expect(try !tool(sample, "get", Self.store, "rl_traits.email", "--redact").ended().output.contains("acme.example"))
  }

  @Test func `prints the JSON of a value in an archive whole or not at all`() throws {
    let link = try #require(NSURL(string: "a", relativeTo: URL(string: "https://acme.example/")))
    let root: NSDictionary = ["links": ["home": link, "n": 1] as NSDictionary, "plain": ["n": 1] as NSDictionary]
    let archive = try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
    let folder = TemporaryFolder()
    try folder.place(
      "Data/Library/Preferences/" + Self.store,
      PropertyListSerialization.data(fromPropertyList: ["archive": archive], format: .binary, options: 0))
    func json(_ key: String) throws -> [String: Any] {
      try Tool.carryover("get", folder.path("Data"), Self.store, key, "--json").ended().json("value-1")
    }
    #expect(try json("archive.plain")["type"] as? String == "dictionary")
  }

  @Test func `a value is printed as it is, apart from hidden characters`() throws {
    let folder = TemporaryFolder()
    let app = try folder.app([
      "path": #"C:\new\table"#, "emoji": "🧪", "lines": "a\nb\u{1B}", "packed": #"{"p":"C:\\new","n":"a\nb"}"#,
    ])
    for (key, printed) in [
      ("path", #"C:\new\table"#), ("emoji", "🧪"), ("lines", #"a\nb\u{1B}"#),
      ("packed", #"{"p":"C:\\new","n":"a\nb"}"#), ("packed.p", #"C:\new"#),
    ] {
      #expect(try Tool.carryover("get", app, Self.store, key).ended().output == printed + "\n", "\(key)")
    }
  }

  @Test func `a preview escapes a name once`() throws {
    let folder = TemporaryFolder()
    let (app, key) = (try folder.app(["n\u{1B}": "old", "other": "same"]), #""n\u{1B}""#)
    let changed = try Tool.carryover("set", app, Self.store, key, "new", "--dry-run").ended()
    #expect(changed.output.contains("+ " + key), "\(changed.output)")
    let unchanged = try Tool.carryover("set", app, Self.store, key, "old", "--dry-run").ended()
    #expect(!unchanged.output.contains(#"\\u"#), "\(unchanged.output)")
  }

  @Test func `removals from one list say that their order counts, and the result counts as the preview`() throws {
    let folder = TemporaryFolder()
    let app = try folder.app(["tags": ["a", "b", "c"], "n": 1])
    let changes =
      ["tags[1]", "tags[1]"].map { #"{"store": "com.acme.shop.plist", "key": "\#($0)", "after": null}"# }
      + [#"{"store": "com.acme.shop.plist", "key": "new", "after": 1}"#]
    let document = folder.path("changes.json")
    try Data("{\"schema\": \"carryover.changes/1\", \"changes\": [\(changes.joined(separator: ", "))]}".utf8)
      .write(to: URL(fileURLWithPath: document))
    try Tool.carryover("set", app, "--from", document, "--dry-run").ended(
      printing: "Made in this order", "1 value to add, 2 to remove.")
    try Tool.carryover("set", app, "--from", document, "--yes").ended(printing: "1 value added, 2 removed.")
  }

  @Test func `of a store that cannot be read, get says only that`() throws {
    let folder = TemporaryFolder()
    let app = try folder.app(["a": 1])
    try folder.place("Saved/App/Library/Preferences/cut.plist", Data("<plist><dict>".utf8))
    let result = try Tool.carryover("get", app, "cut.plist", "a")
    result.ended(1, saying: "cut.plist")
    #expect(!result.error.contains("cannot be changed"), "\(result.error)")
  }

  @Test func `previews, writes as one run and rolls it back`() throws {
    let sample = try SampleCopy("AcmeShop")
    let (before, files) = (try keys(sample), try sample.files())
    let preview = try tool(sample, "set", Self.store, "draftOrder.note", "leave it", "--dry-run").ended(
      printing: "- draftOrder.note", "ring twice", "+ draftOrder.note", "leave it", "1 value to change.")
    #expect(preview.error.isEmpty)
    try tool(sample, "set", Self.store, "draftOrder.note", "leave it").ended(64, saying: "set needs --yes")
    #expect(try sample.files() == files)
    let report = try tool(sample, "set", Self.store, "draftOrder.note", "leave it", "--yes", "--json").ended()
      .json("report-1")
    #expect(report["kind"] as? String == "edit" && report["files"] as? [String] == [Self.path])
    let change = try #require((report["changes"] as? [[String: Any]])?.first)
    #expect(change["key"] as? String == "draftOrder.note")
    #expect((change["after"] as? [String: Any])?["value"] as? String == "leave it")
    try tool(sample, "rollback", "--only", "draftOrder.note", "--yes").ended(
      64, saying: "a value in a key", "name draftOrder.")
    var expected = before
    expected["draftOrder"] = (before["draftOrder"] as? String)?.replacingOccurrences(of: "ring twice", with: "leave it")
    #expect((try keys(sample) as NSDictionary).isEqual(to: expected))
    try tool(sample, "delete", Self.store, "basket[0]", "--yes").ended(
      printing: "Changed  run ", ": 1 value removed.", "- basket[0] ")
    #expect((try keys(sample)["basket"] as? [Any])?.count == (before["basket"] as? [Any]).map { $0.count - 1 })
    let runs = try Tool.runs(of: sample.path)
    #expect(runs.map { $0["kind"] as? String } == ["edit", "edit"] && runs.allSatisfy { $0["recipe"] is NSNull })
    try tool(sample, "history").ended(printing: "edit")
    let told = try runs.map { run in
      let id = try #require(run["id"] as? String)
      return try tool(sample, "history", "--run", id).ended().output
    }
    #expect(told[0].contains("  basket[0] ") && told[0].contains("removed"), "\(told)")
    #expect(told[1].contains(#"  draftOrder.note  ring twice  →  leave it  written"#), "\(told)")
    try tool(sample, "history", "--check").ended()
    try tool(sample, "rollback", "--dry-run").ended(printing: "+ basket[0] ")
    try tool(sample, "rollback", "--yes").ended()
    let back = try tool(sample, "rollback", "--dry-run").ended(
      printing: "- draftOrder.note  leave it", "+ draftOrder.note  ring twice")
    #expect(!back.output.contains("quantity"), "\(back.output)")
    try tool(sample, "rollback", "--yes").ended()
    #expect(try sample.files() == files)
    let newest = try #require(Tool.runs(of: sample.path).first?["id"] as? String)
    try tool(sample, "history", "--run", newest).ended(
      printing: "  draftOrder.note  leave it  →  ring twice  rolled back")
  }

  @Test func `the history shows a long key whole, so that it can be copied`() throws {
    let (sample, key) = (try SampleCopy("AcmeShop"), String(repeating: "key-", count: 17))
    try tool(sample, "set", Self.store, key, "new", "--yes").ended()
    let id = try #require(Tool.runs(of: sample.path).first?["id"] as? String)
    try Tool.run("env", ["COLUMNS=80", Tool.carryover.path, "history", sample.path, "--run", id]).ended(printing: key)
  }

  @Test func `a file names changes of several stores, which are written together or not at all`() throws {
    let sample = try SampleCopy("AcmeShop")
    let files = try sample.files()
    let document = sample.folder.path("changes.json")
    func write(_ changes: String) throws {
      try Data("{\"schema\": \"carryover.changes/1\", \"changes\": [\(changes)]}".utf8)
        .write(to: URL(fileURLWithPath: document))
    }
    let first = #"{"store": "com.acme.shop.plist", "key": "launchCount", "before": 173, "after": 0}"#
    try write(first + #", {"store": "rsDefaultsPersistence.plist", "key": "rl_session_id.x", "after": 1}"#)
    try tool(sample, "set", "--from", document, "--yes").ended(1, saying: "rl_session_id.x")
    try write(first + #", {"store": "rsDefaultsPersistence.plist", "key": "note", "after": "new"}"#)
    try tool(sample, "set", Self.store, "--from", document, "--yes").ended(
      64, saying: "--from takes the changes from a file")
    try tool(sample, "set", "--from", "-", "--yes").ended(64, saying: "does not read standard input")
    let printed = try tool(sample, "set", "--from", document, "--dry-run", "--json").ended()
    try printed.json("changes-1")
    #expect(try sample.files() == files)
    try Data(printed.output.utf8).write(to: URL(fileURLWithPath: document))
    let report = try tool(sample, "set", "--from", document, "--yes", "--json").ended().json("report-1")
    #expect((report["files"] as? [String])?.count == 2)
    #expect(try keys(sample)["launchCount"] as? Int == 0)
    try tool(sample, "set", "--from", document, "--yes").ended(
      4, saying: "does not have the value that the changes file expects")
    try tool(sample, "rollback", "--yes").ended()
    #expect(try sample.files() == files)
  }

  @Test func `hides secrets in previews until it is asked to show them`() throws {
    let sample = try SampleCopy("AcmeShop")
    let hidden = try tool(sample, "set", Self.store, "rl_auth_token", "my-new-token", "--dry-run").ended(
      printing: "(secret)")
    #expect(!hidden.output.contains("example-token") && !hidden.output.contains("my-new-token"))
    func change(_ json: Tool.Result) throws -> [String: Any] {
      #expect(!json.output.contains("example-token") && !json.output.contains("my-new-token"))
      return try #require((try json.json("changes-1")["changes"] as? [[String: Any]])?.first)
    }
    let edit = try tool(sample, "set", Self.store, "rl_auth_token", "my-new-token", "--dry-run", "--json").ended()
    #expect(try change(edit)["secret"] as? Bool == true)
    let removal = try change(tool(sample, "delete", Self.store, "rl_auth_token", "--dry-run", "--json").ended())
    #expect(removal["secret"] == nil && removal["before"] == nil)
    try tool(sample, "set", Self.store, "rl_auth_token", "my-new-token", "--dry-run", "--secrets").ended(
      printing: "example-token", "my-new-token")
  }

  @Test func `refuses what does not suit, with the status and the reason`() throws {
    let sample = try SampleCopy("AcmeShop")
    let files = try FileState.files(under: sample.folder.path)
    try tool(sample, "set", Self.store, "launchCount", "many", "--yes").ended(64, saying: "Not an integer")
    try tool(sample, "set", Self.store, "launchCount", "99999999999999999999", "--yes").ended(
      64, saying: "must be between")
    try tool(sample, "set", Self.store, "cartTotal", "1e999", "--yes").ended(64, saying: "too large")
    try tool(sample, "set", Self.store, "noFavourites", "x", "--yes").ended(64, saying: "an array")
    try tool(sample, "set", Self.store, "draftOrder", #"{"x":"#, "--yes").ended(
      64, saying: "not valid JSON", "--type text")
    try tool(sample, "set", Self.store, "draftOrder", #"{"x":"#, "--type", "text", "--dry-run").ended()
    try tool(sample, "set", Self.store, "draftOrder", #"{"x": 1}"#, "--dry-run").ended()
    try tool(sample, "set", Self.store, "launchCount", "--yes").ended(64)
    try tool(sample, "set", Self.store, "launchCount", "1", "--type", "colour", "--yes").ended(64)
    for command in ["get", "delete"] {
      let confirmed = command == "get" ? [] : ["--yes"]
      func refused(_ key: String, saying words: String) throws {
        try Tool.carryover([command, sample.path, Self.store, key] + confirmed).ended(
          1, saying: "has no value \(key)", words)
      }
      try refused("nothing", saying: "carryover inspect lists the keys.")
      try refused("basket[9]", saying: "basket has 2 elements; a new one is basket[2].")
      try refused("lastTab.x", saying: "lastTab is a string, which has no members.")
    }
    try tool(sample, "set", Self.store, "basket[9].sku", "x", "--yes").ended(1, saying: "value basket[9].", "basket[2]")
    #expect(try FileState.files(under: sample.folder.path) == files)
    try tool(sample, "set", Self.store, "priceAlertThreshold", "--yes", "--", "-1.25").ended()
    #expect(try keys(sample)["priceAlertThreshold"] as? Double == -1.25)
  }

  @Test func `a report says which value was changed, and hides secrets`() throws {
    let sample = try SampleCopy("AcmeShop")
    try tool(sample, "set", Self.store, "basket[0].quantity", "3", "--yes").ended(
      printing: "Values 1", "- basket[0].quantity  2", "+ basket[0].quantity  3")
    for form in [[], ["--json"]] {
      let hidden = try Tool.carryover(
        ["set", sample.path, Self.store, "rl_auth_token", "my-new-token", "--yes"] + form
      ).ended(printing: "rl_auth_token")
      #expect(!hidden.output.contains("example-token") && !hidden.output.contains("my-new-token"))
      try tool(sample, "rollback", "--yes").ended()
    }
    try tool(sample, "set", Self.store, "rl_auth_token", "my-new-token", "--yes", "--secrets").ended(
      printing: "my-new-token")
  }

  @Test func `no history and no rollback shows a secret inside a value`() throws {
    let folder = TemporaryFolder()
    let app = try folder.app([
      "cfg": #"{"auth": {"password": "hunter2"}, "n": 1}"#, "old": #"{"password": "hunter2"}"#,
    ])
    try Tool.carryover("set", app, Self.store, "cfg.n", "2", "--yes").ended(printing: "cfg.n")
    try Tool.carryover("delete", app, Self.store, "old", "--yes").ended(printing: "(secret)")
    func expectHidden(_ command: String, _ options: [String]) throws {
      let result = try Tool.carryover([command, app] + options)
      #expect(!result.output.contains("hunter") && !result.error.contains("hunter"), "\(result.output)\(result.error)")
    }
    func expectAllHidden() throws {
      try expectHidden("history", ["--json"])
      for run in try Tool.runs(of: app) {
        let id = try #require(run["id"] as? String)
        try expectHidden("history", ["--run", id])
        for form in [[], ["--json"]] { try expectHidden("rollback", ["--run", id, "--dry-run"] + form) }
        let fields = try #require(run["fields"] as? [[String: Any]])
        #expect(fields.allSatisfy { $0["secret"] as? Bool == true && $0["before"] is NSNull })
      }
    }
    try expectAllHidden()
    try Tool.edit(app + "/Library/Preferences/" + Self.store, #"values['old'] = '{"password": "hunter3"}'"#)
    try Tool.carryover("rollback", app, "--yes").ended(3, saying: "old is (secret) now")
    try expectHidden("rollback", ["--on-conflict", "keep", "--dry-run"])
    try Tool.carryover("rollback", app, "--on-conflict", "replace", "--yes").ended()
    try expectAllHidden()
  }
}

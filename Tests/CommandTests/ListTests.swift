import Foundation
import Testing

@Suite("Listing and choosing")
struct ListTests {
  /// A folder with two packages, a backup of three apps and a container of a simulator.
  private func several() throws -> Forms {
    let forms = try Forms(of: SampleCopy.original("AcmeShop").path, others: 2)
    let manager = FileManager.default
    try manager.createDirectory(atPath: forms.path("cases/b"), withIntermediateDirectories: true)
    for name in ["a.xcappdata", "b/c.xcappdata"] {
      try manager.copyItem(atPath: forms.path("Shop.xcappdata"), toPath: forms.path("cases/" + name))
    }
    try manager.copyItem(atPath: forms.path("backup"), toPath: forms.path("cases/device"))
    return forms
  }

  @Test("list prints what can be chosen, as a table and as JSON that suits its schema")
  func list() throws {
    let forms = try several()
    let table = try Tool.carryover("list", forms.path("cases"))
    #expect(table.status == 0, "\(table.error)")
    let lines = table.output.split(separator: "\n")
    #expect(lines.count { !$0.hasPrefix(" ") } == 7, "a heading, five containers, and that a file is missing")
    #expect(lines.contains { $0.hasPrefix("device/com.acme.shop ") && $0.contains("group.com.acme.shop") })
    #expect(
      lines.contains { $0.hasPrefix("b/c.xcappdata ") && $0.contains("com.acme.shop") && $0.contains("xcappdata") })
    let json = try Tool.carryover("list", forms.path("cases"), "--json").json()
    #expect(try SchemaCheck("list-1").problems(json) == [])
    let containers = try #require(json["containers"] as? [[String: Any]])
    #expect(
      containers.map { $0["path"] as? String } == [
        "a.xcappdata", "b/c.xcappdata", "device/com.acme.shop", "device/com.other.app0", "device/com.other.app1",
      ])
    #expect(containers[2]["missing"] as? Int == 1)
    let long = "a-folder-with-a-long-name/" + String(repeating: "and-another-one-", count: 12)
    try FileManager.default.createDirectory(atPath: forms.path("far/" + long), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: forms.path("Shop.xcappdata"), toPath: forms.path("far/\(long)/Shop.xcappdata"))
    let far = try Tool.carryover("list", forms.path("far"))
    #expect(far.output.contains("\(long)/Shop.xcappdata"), "a path is never cut: \(far.output)")
    for form in Forms.all {
      let json = try Tool.carryover("list", forms.path(form), "--json").json()
      #expect(try SchemaCheck("list-1").problems(json) == [], "\(form)")
    }
  }

  @Test("empty containers of a backup are counted, Apple's come last, and --app narrows the list")
  func narrowed() throws {
    let forms = try several()
    let script = """
      import hashlib, sqlite3, sys
      list = sqlite3.connect(sys.argv[1] + "/Manifest.db")
      for app in ["com.apple.notes", "com.acme.empty"]:
          list.execute("INSERT INTO Files VALUES(?, ?, '', 2, NULL)",
              (hashlib.sha1(app.encode()).hexdigest(), "AppDomain-" + app))
      list.execute("UPDATE Files SET domain = 'AppDomain-com.apple.app0' WHERE domain = 'AppDomain-com.other.app0'")
      list.commit()
      """
    #expect(try Tool.run("python3", ["-c", script, forms.path("backup")]).status == 0)
    let text = try Tool.carryover("list", forms.path("backup")).output
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").first.map(String.init) ?? "" }
    #expect(lines.prefix(4) == ["path", "com.acme.shop", "com.other.app1", "com.apple.app0"], "\(text)")
    #expect(text.contains("2 containers are empty: --app '*' lists all.") && !text.contains("com.apple.notes"))
    let json = try Tool.carryover("list", forms.path("backup"), "--json").json()
    #expect(json["empty"] as? Int == 2 && (json["containers"] as? [Any])?.count == 5)
    #expect(try SchemaCheck("list-1").problems(json) == [])
    let acme = try Tool.carryover("list", forms.path("backup"), "--app", "com.acme*").output
    #expect(acme.contains("com.acme.empty") && acme.contains("com.acme.shop") && !acme.contains("com.other"))
    let some = try Tool.carryover("list", forms.path("backup"), "--app", "*.app?", "--json")
    #expect(
      some.status == 64 && some.error.contains("has no container of “*.app?”"), "only * is special: \(some.error)")
  }

  @Test("no path is cut, a name that says nothing new is left out, and what cannot be opened is not listed")
  func listedPaths() throws {
    let forms = try several()
    let path = "long/" + String(repeating: "n", count: 70) + ".xcappdata"
    try FileManager.default.createDirectory(atPath: forms.path("cases/long"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: forms.path("cases/a.xcappdata"), toPath: forms.path("cases/" + path))
    let lines = try Tool.carryover("list", forms.path("cases")).output.split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix(path + " ") }, "\(lines)")
    #expect(line.split(separator: " ") == [Substring(path), "com.acme.shop", "xcappdata"])
    let one = try Tool.carryover("list", forms.path("cases/a.xcappdata"))
    #expect(one.output.split(separator: "\n").last?.hasPrefix(".  ") == true)
    let chosen = try Tool.carryover("inspect", forms.path("cases/a.xcappdata"), "--container", ".")
    #expect(chosen.status == 0, "\(chosen.error)")
    try Data("{}".utf8).write(to: URL(fileURLWithPath: forms.path("some.json")))
    let json = try Tool.carryover("list", forms.path("some.json"))
    #expect(json.status == 1 && json.error.contains("not a property list") && json.output.isEmpty, "\(json.output)")
  }

  @Test("without a choice, commands name the first, the options and list")
  func noChoice() throws {
    let forms = try several()
    for subcommand in ["inspect", "plan", "history", "rollback"] {
      let result = try Tool.carryover(subcommand, forms.path("cases"))
      #expect(result.status == 1, "\(subcommand)")
      for word in ["“a.xcappdata”", "“device/com.acme.shop”", "--container", "--app", "carryover list"] {
        #expect(result.error.contains(word), "\(subcommand): \(result.error)")
      }
    }
  }

  @Test("--container and --app choose, in a folder, a backup and an archive")
  func choosing() throws {
    let forms = try several()
    let choices = [
      ["cases", "--container", "b/c.xcappdata"], ["cases", "--container", "device/com.acme.shop"],
      ["backup", "--container", "com.acme.shop"], ["backup", "--app", "com.acme.shop"],
      ["backup.zip", "--app", "com.acme.shop"], ["backup.zip", "--container", "device/com.acme.shop"],
      ["backup.zip/device", "--app", "com.acme.shop"], ["Shop.xcappdata", "--app", "com.acme.shop"],
    ]
    for choice in choices {
      let result = try Tool.carryover(["inspect", forms.path(choice[0]), "--json"] + choice.dropFirst())
      #expect(result.status == 0, "\(choice): \(result.error)")
      let container = try result.json()["container"] as? [String: Any]
      #expect(container?["bundleID"] as? String == "com.acme.shop", "\(choice)")
    }
    let other = try Tool.carryover("inspect", forms.path("backup.zip"), "--app", "com.other.app1")
    #expect(other.output.contains("com.other.app1.plist"))
    #expect(other.output.contains("number"))
  }

  @Test("an app that matches none or several, and two choices, are usage errors that say what there is")
  func refusedChoices() throws {
    let forms = try several()
    let cases: [([String], String)] = [
      (["cases", "--app", "com.acme.shop"], "b/c.xcappdata"), (["cases", "--app", "com.none"], "com.other.app1"),
      (["backup.zip", "--app", "com.none"], "com.other.app1"),
      (["Shop.xcappdata", "--app", "com.none"], "com.acme.shop"),
      (["cases", "--app", "com.acme.shop", "--container", "a.xcappdata"], "--app"),
      (["cases", "--container", "../cases/a.xcappdata"], "carryover list"),
      (["cases", "--container", "/etc"], "carryover list"),
    ]
    for (arguments, word) in cases {
      let result = try Tool.carryover(["plan", forms.path(arguments[0])] + arguments.dropFirst())
      #expect(result.status == 64, "\(arguments): \(result.error)")
      #expect(result.error.contains(word), "\(arguments): \(result.error)")
    }
    #expect(try Tool.carryover("plan", forms.path("backup"), "--container", "com.none").status == 1)
  }

  @Test("apply writes to the chosen container of a folder and to no other")
  func applyChosen() throws {
    let forms = try several()
    let before = try FileState.files(under: forms.path("cases"))
    let result = try Tool.carryover(
      "apply", forms.path("cases"), "--container", "b/c.xcappdata", "--write-key", SampleCopy.writeKey, "--now",
      SampleCopy.now, "--accept", "user_id", "--skip", "rudder.app_build", "--yes")
    #expect(result.status == 0, "\(result.error)")
    let after = try FileState.files(under: forms.path("cases"))
    let changed = Set(after.keys).union(before.keys).filter { after[$0] != before[$0] }
    #expect(!changed.isEmpty)
    #expect(changed.allSatisfy { $0.hasPrefix("b/c.xcappdata/") }, "\(changed)")
  }
}

@Suite("The lines of watch") struct WatchCommandTests {
  private let folder = TemporaryFolder()
  private var container: String { folder.path("Data") }
  private var preferences: String { container + "/Library/Preferences/com.acme.shop.plist" }

  init() throws {
    let values: [String: Any] = [
      "theme": "dark", "launches": 1, "state": #"{"flags":{"beta":false},"step":1}"#, "auth_token": "hush-1",
    ]
    try folder.place(
      "Data/Library/Preferences/com.acme.shop.plist",
      PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0))
  }

  /// Starts the command, changes the preferences, and returns the lines up to the one that is awaited.
  private func lines(_ arguments: [String], until awaited: String) throws -> [String] {
    let script = """
      import os, plistlib, subprocess, sys, threading
      command, preferences, awaited, *arguments = sys.argv[1:]
      process = subprocess.Popen([command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
      timer = threading.Timer(60, process.kill)
      timer.start()
      said = process.stderr.readline()
      assert "Watching" in said and "Ctrl-C stops." in said, said
      with open(preferences, "rb") as file:
          values = plistlib.load(file)
      values.update(theme="light\\x1b[2J", launches=2, state='{"flags":{"beta":true},"step":1}', auth_token="hush-2",
                    AppleLocale="de_DE", added=[1, 2])
      with open(preferences + ".new", "wb") as file:
          plistlib.dump(values, file, fmt=plistlib.FMT_BINARY)
      os.replace(preferences + ".new", preferences)
      for line in process.stdout:
          print(line, end="")
          if awaited in line:
              break
      process.terminate()
      timer.cancel()
      """
    let result = try Tool.run("python3", ["-c", script, Tool.carryover.path, preferences, awaited] + arguments).ended()
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `each change is a line with its time, its path, and the value before and after`() throws {
    let lines = try lines(["watch", container], until: ": theme")
    let parts = lines.map { $0.drop { $0 != " " }.split(separator: " ").joined(separator: " ") }
    let place = "Library/Preferences/com.acme.shop.plist: "
    #expect(lines.allSatisfy { $0.prefixMatch(of: /\d\d:\d\d:\d\d  [-+~]/) != nil }, "\(lines)")
    #expect(parts.contains("~ \(place)launches 1 → 2"))
    #expect(parts.contains("~ \(place)state.flags.beta false → true"))
    #expect(parts.contains("~ \(place)auth_token (secret) → (secret)"))
    #expect(parts.contains { $0.hasPrefix("~ \(place)theme dark → light\\u{1B}[2J") })
    #expect(parts.contains { $0.hasPrefix("+ \(place)added ") } && !parts.contains { $0.contains("AppleLocale") })
    #expect(!parts.contains { $0.contains("step") || $0.contains("hush") })
  }

  @Test func `JSON follows the schema, and redaction masks`() throws {
    let lines = try lines(["watch", container, "--json", "--redact", "--all"], until: #""theme""#)
    let check = try SchemaCheck("watch-1")
    for line in lines {
      #expect(try check.problems(JSONSerialization.jsonObject(with: Data(line.utf8))) == [], "\(line)")
      #expect(!line.contains("hush") && !line.contains("light") && !line.contains("dark"))
    }
    #expect(lines.contains { $0.contains("AppleLocale") })
  }

  @Test func `what cannot be watched is refused as it is by other commands`() throws {
    let missing = try Tool.carryover("watch", folder.path("nowhere"))
    #expect(missing.status == 1 && missing.error.contains("nowhere"))
    let accessible = try Tool.carryover(["browse", container, "--watch", "--accessible"], lines: ["quit"])
    #expect(accessible.status == 64 && accessible.error.contains("carryover watch"))
    let empty = folder.path("empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    try Tool.carryover("browse", empty, "--watch").ended(64, saying: "Browsing needs a terminal.")
  }
}

import Foundation
import Testing

@Suite("Bad input")
struct BadInputTests {
  private func refused(_ result: Tool.Result, _ status: Int32, _ words: String...) {
    #expect(result.status == status, "\(result.error)")
    #expect(result.output == "")
    #expect(result.error.hasPrefix("carryover: "))
    #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
    #expect(result.error.count < 400)
    for word in words { #expect(result.error.contains(word), "\(word) in \(result.error)") }
  }

  @Test("A path where nothing is, an empty folder, a folder that is no container, a file that is no property list")
  func notAContainer() throws {
    let folder = try TemporaryFolder()
    refused(try Tool.carryover("plan", folder.path("nowhere")), 1, "nowhere")
    refused(try Tool.carryover("plan", folder.url.path), 1, "empty")
    try Data("hello".utf8).write(to: URL(fileURLWithPath: folder.path("hello.txt")))
    refused(try Tool.carryover("plan", folder.url.path), 1)
    refused(try Tool.carryover("plan", folder.path("hello.txt")), 1, "hello.txt")
  }

  @Test("A corrupt property list is named with what is wrong")
  func corruptPropertyList() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("com.acme.shop.plist")
    try Data("bplist00 and then nothing that fits".utf8).write(to: URL(fileURLWithPath: path))
    refused(try Tool.carryover("plan", path), 1, "com.acme.shop.plist")
  }

  @Test("No write key, several write keys, and a write key that could leave the folder")
  func writeKeys() throws {
    let sample = try SampleCopy("AcmeShop")
    refused(try Tool.carryover("plan", sample.path), 64, "--write-key")
    let preferences = sample.path + "/AppData/Library/Preferences/"
    for key in ["A", "B"] {
      try FileManager.default.copyItem(
        atPath: preferences + "com.acme.shop.plist", toPath: preferences + "com.acme.shop.analytics.\(key).plist")
    }
    refused(try Tool.carryover("plan", sample.path), 64, "A, B", "--write-key")
    refused(try Tool.carryover("plan", sample.path, "--write-key", "../../x"), 64, "write key")
  }

  @Test("No bundle id: the plan says so, apply is refused with status 2")
  func noBundleID() throws {
    let sample = try SampleCopy("AcmeShop")
    try FileManager.default.removeItem(atPath: sample.path + "/AppDataInfo.plist")
    let data = sample.path + "/AppData"
    let preferences = data + "/Library/Preferences/"
    try FileManager.default.copyItem(
      atPath: preferences + "com.acme.shop.plist", toPath: preferences + "com.acme.other.plist")
    let plan = try Tool.carryover("plan", data, "--write-key", "K", "--json")
    #expect(plan.status == 0)
    #expect(plan.output.contains("target.no-bundle-id"))
    refused(try Tool.carryover("apply", data, "--write-key", "K", "--yes"), 2, "--bundle-id")
  }

  @Test("Options that name no field, decide twice, or do not fit the field's form")
  func badDecisions() throws {
    let sample = try SampleCopy("AcmeShop")
    refused(try sample.run("apply", "--skip", "userid", "--yes"), 64, "userid", "user_id")
    refused(try sample.run("apply", "--skip", "user_id", "--set", "user_id=1", "--yes"), 64, "user_id")
    refused(try sample.run("apply", "--set", "session_id=soon", "--yes"), 64, "session_id")
    refused(try sample.run("apply", "--set", "user_id", "--yes"), 64, "=")
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test("Without a terminal: the review names the commands to use, apply and rollback want --yes")
  func noTerminal() throws {
    let sample = try SampleCopy("Clean")
    refused(try Tool.carryover(sample.options), 64, "carryover plan")
    refused(try sample.run("apply"), 64, "--yes")
    #expect(try sample.files() == sample.originalFiles())
    refused(try sample.run("rollback"), 1, "no run")
    #expect(try sample.run("apply", "--yes").status == 0)
    let applied = try sample.files()
    refused(try sample.run("rollback"), 64, "--yes")
    #expect(try sample.files() == applied)
  }

  @Test("A target that is a symbolic link, a folder or no property list is refused, and stays as it is")
  func strangeTargets() throws {
    for make in [
      { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/etc/hosts") },
      { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) },
      { try Data("hello".utf8).write(to: URL(fileURLWithPath: $0)) },
    ] as [(String) throws -> Void] {
      let sample = try SampleCopy("Clean")
      try make(sample.target)
      refused(try sample.run("apply", "--yes"), 1, "1xAcmeWriteKey")
      #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover/runs"))
    }
  }

  @Test("Legacy stores of which none can be read are not taken for nothing to migrate")
  func unreadableSources() throws {
    let sample = try SampleCopy("Clean")
    for path in ["/AppData/Library/rsDefaultsPersistence.plist", "/AppData/Library/Preferences/com.acme.shop.plist"] {
      try Data().write(to: URL(fileURLWithPath: sample.path + path))
    }
    refused(try sample.run("apply", "--yes"), 1, "empty")
  }

  @Test("One legacy store of two that cannot be read is said, and the rest is migrated")
  func oneUnreadableSource() throws {
    let sample = try SampleCopy("Clean")
    try Data("bplist00garbage".utf8).write(
      to: URL(fileURLWithPath: sample.path + "/AppData/Library/Preferences/com.acme.shop.plist"))
    let asked = try sample.run("apply", "--yes")
    #expect(asked.status == 2 && asked.error.contains("user_id"), "\(asked.error)")
    let result = try sample.run("apply", "--yes", "--accept", "source.hidden")
    #expect(result.status == 0, "\(result.error)")
    #expect(result.error.contains("source.unreadable: The values in com.acme.shop.plist are not migrated"))
  }

  @Test("Output that cannot be written is an error")
  func fullOutput() throws {
    let sample = try SampleCopy("Clean")
    let command = ([Tool.carryover.path, "plan"] + sample.options).joined(separator: " ") + " > /dev/full"
    let result = try Tool.run("sh", ["-c", command])
    #expect(result.status == 1)
    #expect(result.error.contains("Standard output"))
  }

  @Test("What the argument parser quotes is escaped, and a path only once")
  func hostileArguments() throws {
    let result = try Tool.carryover("plan", ".", "--now", "\u{1B}[31mred")
    #expect(result.status == 64)
    #expect(!result.error.contains("\u{1B}"))
    let path = try Tool.carryover("plan", "/tmp/no\u{1B}where")
    #expect(path.error.contains(#"no\u{1B}where"#) && !path.error.contains(#"\\u"#))
  }

  @Test("Hostile values reach the output only as visible escapes")
  func hostileValues() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("com.acme.shop.plist")
    let script = """
      import plistlib, sys
      evil = 'a\\x1b]52;c;ZXZpbA==\\x07b\\u202ec\\u200bd\\x9be'
      plistlib.dump({'rl_anonymous_id': evil, 'rl_' + evil: evil, 'rl_traits': '{"userId":"' + '\\u202e' + '"}'},
                    open(sys.argv[1], 'wb'), fmt=plistlib.FMT_BINARY)
      """
    #expect(try Tool.run("python3", ["-c", script, path]).status == 0)
    for arguments in [
      ["plan", path, "--write-key", "K"], ["inspect", path], ["apply", path, "--write-key", "K", "--yes"],
    ] {
      let result = try Tool.carryover(arguments)
      for scalar in (result.output + result.error).unicodeScalars {
        let hidden = scalar != "\n" && [.control, .format].contains(scalar.properties.generalCategory)
        #expect(!hidden, "\(arguments[0]): U+\(String(scalar.value, radix: 16))")
      }
      #expect((result.output + result.error).contains("rl_") || arguments[0] == "apply")
    }
  }
}

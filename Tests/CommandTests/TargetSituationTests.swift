import Foundation
import Testing

@Suite("A target in an awkward place")
struct TargetSituationTests {
  private let other: TemporaryFolder

  init() throws { other = try TemporaryFolder() }

  /// A copy of the clean sample whose target another tool has made, with the mode given.
  private func sample(mode: Int = 0o600) throws -> SampleCopy {
    let sample = try SampleCopy("Clean")
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["other.key": "stays"], format: .binary, options: 0)
    try list.write(to: URL(fileURLWithPath: sample.target))
    try set(.posixPermissions, mode, sample.target)
    return sample
  }

  private func set(_ attribute: FileAttributeKey, _ value: Int, _ path: String) throws {
    try FileManager.default.setAttributes([attribute: NSNumber(value: value)], ofItemAtPath: path)
  }

  private func attribute(_ attribute: FileAttributeKey, _ path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[attribute] as? NSNumber)?.intValue
  }

  private func home(of user: Int) throws -> String {
    try set(.ownerAccountID, user, other.url.path)
    return other.url.path
  }

  /// Applies, expects a refusal that names the cause, and nothing changed or left.
  private func refuses(_ sample: SampleCopy, because cause: String, as user: Int? = nil) throws {
    let before = try FileState.files(under: sample.folder.url.path)
    let arguments = ["apply"] + sample.options + ["--yes"]
    let result =
      if let user {
        try Tool.run(
          "setpriv",
          ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "env", "XDG_STATE_HOME=\(try home(of: user))"]
            + [Tool.carryover.path] + arguments)
      } else {
        try Tool.carryover(arguments)
      }
    #expect(result.status == 1, "\(result.error)")
    #expect(result.error.contains(cause) && result.error.contains("Nothing was changed."), "\(result.error)")
    #expect(try FileState.files(under: sample.folder.url.path) == before)
    #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover"))
  }

  @Test("A symbolic link is not followed: refused, and what it leads to stays as it is")
  func symbolicLink() throws {
    let sample = try sample()
    let elsewhere = sample.folder.path("elsewhere.plist")
    try FileManager.default.moveItem(atPath: sample.target, toPath: elsewhere)
    try FileManager.default.createSymbolicLink(atPath: sample.target, withDestinationPath: elsewhere)
    try refuses(sample, because: "symbolic link")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: sample.target) == elsewhere)
  }

  @Test("plan and apply warn of a write key of which the container has no file, while it has those of others")
  func otherWriteKey() throws {
    let sample = try SampleCopy("Clean")
    #expect(try sample.run("apply", "--yes").status == 0)
    let mistyped = [sample.path, "--write-key", "1xMistyped", "--now", SampleCopy.now]
    let words = "No file of write key 1xMistyped here, only of \(SampleCopy.writeKey)."
    let plan = try Tool.carryover(["plan"] + mistyped)
    #expect(plan.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words), "\(plan.output)")
    let apply = try Tool.carryover(["apply"] + mistyped + ["--yes"])
    #expect(apply.status == 0 && apply.error.contains(words), "\(apply.error)")
  }

  @Test("A file with two hard links is refused")
  func hardLink() throws {
    let sample = try sample()
    try FileManager.default.linkItem(atPath: sample.target, toPath: sample.folder.path("second.plist"))
    try refuses(sample, because: "has 2 hard links")
  }

  @Test("The mode stays", arguments: [0o600, 0o644, 0o640, 0o400])
  func mode(mode: Int) throws {
    let sample = try sample(mode: mode)
    #expect(try sample.run("apply", "--yes").status == 0)
    #expect(try attribute(.posixPermissions, sample.target) == mode)
    #expect(try sample.targetAsPythonReadsIt()["other.key"] == "str\t'stays'")
    #expect(try sample.run("rollback", "--yes").status == 0)
    #expect(try attribute(.posixPermissions, sample.target) == mode)
  }

  @Test("Another user's file stays theirs where that can be done", .enabled(if: getuid() == 0))
  func otherOwner() throws {
    let sample = try sample()
    try set(.ownerAccountID, 1234, sample.target)
    try set(.groupOwnerAccountID, 4321, sample.target)
    for subcommand in ["apply", "rollback"] {
      #expect(try sample.run(subcommand, "--yes").status == 0)
      #expect(try attribute(.ownerAccountID, sample.target) == 1234)
      #expect(try attribute(.groupOwnerAccountID, sample.target) == 4321)
      #expect(try attribute(.posixPermissions, sample.target) == 0o600)
    }
  }

  @Test("Another user's file that could not stay theirs is refused", .enabled(if: getuid() == 0))
  func foreignOwner() throws {
    let sample = try givenAway(sample(mode: 0o644), to: 65534)
    try set(.ownerAccountID, 1234, sample.target)
    try refuses(sample, because: "belongs to user 1234", as: 65534)
  }

  @Test("A folder that cannot be written to: refused", .enabled(if: getuid() == 0))
  func readOnlyFolder() throws {
    let sample = try givenAway(sample(), to: 65534)
    try set(.posixPermissions, 0o555, sample.path + "/AppData/Library/Preferences")
    try refuses(sample, because: "permission", as: 65534)
  }

  /// Gives everything in the test's folder to another user, who can reach it.
  private func givenAway(_ sample: SampleCopy, to user: Int) throws -> SampleCopy {
    let root = sample.folder.url.path
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root).map { root + "/" + $0 }
    for path in [root] + paths {
      try set(.ownerAccountID, user, path)
      try set(.groupOwnerAccountID, user, path)
    }
    try set(.posixPermissions, 0o755, root)
    return sample
  }
}

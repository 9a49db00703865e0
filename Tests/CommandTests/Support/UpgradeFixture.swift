import Foundation

/// A copy of what an earlier version has left, as it stood on that disk: git keeps no modes, owners and empty folders.
struct UpgradeFixture {
  static let folder = Tool.root.appendingPathComponent("Tests/Fixtures/Upgrade")
  /// The versions that fixtures are kept of.
  static let versions =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
    .filter { $0.first?.isNumber == true }.sorted() ?? []

  let copy: TemporaryFolder
  let name: String
  /// The container.
  var path: String { path(name == "bare-list" ? "com.acme.shop.plist" : "Acme.xcappdata") }
  /// Its state folder.
  var state: String { name == "bare-list" ? path(".carryover") : path + "/.carryover" }

  static let target = "AppData/Library/Preferences/com.acme.shop.analytics.1xAcmeWriteKey.plist"
  static let options = ["--write-key", SampleCopy.writeKey, "--now", SampleCopy.now]

  init(_ version: String, _ name: String) throws {
    copy = try TemporaryFolder()
    self.name = name
    let original = Self.folder.appendingPathComponent("\(version)/\(name)")
    try FileManager.default.copyItem(at: original, to: URL(fileURLWithPath: path("")))
    try makeFolders()
    for item in try FileManager.default.subpathsOfDirectory(atPath: path("")) { try restore(item) }
  }

  /// Something beside the container.
  func path(_ item: String) -> String { copy.path("copy" + (item.isEmpty ? "" : "/" + item)) }

  /// The names of the runs' folders.
  func runs() throws -> [String] {
    let folder = state + "/runs"
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  /// Every file of the copy, the state folder's too.
  func everything() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for item in try FileManager.default.subpathsOfDirectory(atPath: path("")) {
      files[item] = FileManager.default.contents(atPath: path(item)) ?? Data()
    }
    return files
  }

  /// The same without the state folder.
  func data() throws -> [String: Data] {
    try everything().filter { !$0.key.split(separator: "/").contains(".carryover") }
  }

  private func makeFolders() throws {
    for run in try runs() {
      for side in ["before", "after"] {
        try FileManager.default.createDirectory(
          atPath: "\(state)/runs/\(run)/\(side)", withIntermediateDirectories: true)
      }
    }
  }

  private func restore(_ item: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path(item), isDirectory: &isFolder) else { return }
    let isState = item.split(separator: "/").contains(".carryover")
    // A target that the run made is as the legacy file; the app's own is closed to others.
    let isOwn = !["killed-new-file", "bare-list"].contains(name)
    let isTarget = isOwn && (item.hasSuffix(Self.target) || item.contains("/.carryover-"))
    let mode = isFolder.boolValue ? (isState ? 0o700 : 0o755) : isState ? 0o600 : isTarget ? 0o640 : 0o644
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(item))
    if item.hasSuffix("/record.json") || item.hasSuffix("/journal.json") { try setOwner(path(item)) }
  }

  /// The files of the copy are whoever's runs the test, and so they were when the run was made.
  private func setOwner(_ path: String) throws {
    var text = try String(contentsOfFile: path, encoding: .utf8)
    text.replace(/"user": \d+/, with: "\"user\": \(geteuid())")
    text.replace(/"group": \d+/, with: "\"group\": \(getegid())")
    // Written in place: a new file would have another mode.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }
}

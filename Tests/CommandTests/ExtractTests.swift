import Foundation
import Testing

@Suite("Taking an app's files out", .serialized)
struct ExtractTests {
  private static let options = ["--write-key", SampleCopy.writeKey, "--now", SampleCopy.now]

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
  }

  @Test("the files are those that were packed, readable by their owner alone; then the work goes on there")
  func files() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    for (form, original) in [
      ("package.zip", "Shop.xcappdata"), ("folder.tar.gz", "folder"), ("backup", "folder"), ("backup.zip", "folder"),
    ] {
      let output = forms.path("out-" + form)
      let result = try Tool.carryover("extract", forms.path(form), "--output", output, "--json")
      #expect(result.status == 0, "\(form): \(result.error)")
      let report = try result.json()
      #expect(try SchemaCheck("extract-1").problems(report) == [])
      #expect(report["output"] as? String == output)
      #expect((report["leftOut"] as? [Any])?.isEmpty == true, "\(form): \(report)")
      let expected = try FileState.files(under: forms.path(original))
      let made = try FileState.files(under: output)
      let metadata = ".com.apple.mobile_container_manager.metadata.plist"
      #expect(
        made.filter { $0.key != metadata }.mapValues(\.bytes)
          == expected.filter { $0.key != metadata }.mapValues(\.bytes))
      var isFolder: ObjCBool = false
      for (path, state) in made {
        _ = FileManager.default.fileExists(atPath: output + "/" + path, isDirectory: &isFolder)
        #expect(state.mode == (isFolder.boolValue ? 0o700 : 0o600), "\(path)")
      }
      let applied = try Tool.carryover(["apply", output, "--yes"] + Self.options)
      #expect(applied.status == 0, "\(form): \(applied.error)")
    }
    #expect(try names(forms.folder.url.path).allSatisfy { !$0.contains("carryover-extract") })
  }

  @Test("what could not be taken out is listed; no link is made")
  func leftOut() throws {
    let forms = try Forms(of: SampleCopy.original("AcmeShop").path, others: 1)
    let output = forms.path("out")
    let result = try Tool.carryover("extract", forms.path("backup"), "--app", "com.acme.shop", "--output", output)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains("Skipped: 2"))
    #expect(result.output.contains("“Library/Preferences/lost.plist”: the backup lists it"))
    #expect(result.output.contains("“Documents/latest”: a symbolic link"))
    let made = try names(output)
    #expect(!made.contains("Documents/latest") && !made.contains("Library/Preferences/lost.plist"))
    #expect(made.contains("AppGroups/group.com.acme.shop/Library/Preferences/group.com.acme.shop.plist"))
    let inspected = try Tool.carryover("inspect", output)
    #expect(inspected.output.contains("AppGroups/group.com.acme.shop"))
    #expect(inspected.output.contains("com.acme.shop · folder"))
  }

  @Test("nothing is written over what is there, into the backup, or for a container that is in nothing")
  func refusals() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    try FileManager.default.createDirectory(atPath: forms.path("empty"), withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: forms.path("file")))
    try FileManager.default.createSymbolicLink(atPath: forms.path("link"), withDestinationPath: "nowhere")
    let before = try FileState.files(under: forms.folder.url.path)
    for (form, output, word) in [
      ("backup", "empty", "already"), ("backup", "file", "already"), ("package.zip", "link", "already"),
      ("backup", "backup/out", "is inside the archive or backup"),
      ("folder.tar.gz", "none/out", "check the path. Nothing was written."),
      ("Shop.xcappdata", "out", "copy it"), ("folder", "out", "copy it"),
      ("package.zip", "package.zip/out", "is inside the archive or backup"),
    ] {
      let result = try Tool.carryover("extract", forms.path(form), "--output", forms.path(output))
      #expect(result.status == 1, "\(form) to \(output)")
      #expect(result.error.contains(word), "\(form) to \(output): \(result.error)")
    }
    #expect(try FileState.files(under: forms.folder.url.path) == before)
  }

  @Test("a signal ends it, and what had been made is gone", .needsTools, arguments: ["INT": 2, "TERM": 15, "HUP": 1])
  func signals(signal: String, number: Int32) throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let before = try names(forms.folder.url.path)
    let result = try Tool.run(
      "strace",
      ["-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:signal=SIG\(signal):when=2"]
        + [Tool.carryover.path, "extract", forms.path("package.zip"), "--output", forms.path("out")])
    #expect(result.status == 128 + number, "\(result.error)")
    #expect(try names(forms.folder.url.path) == before)
  }

  @Test(
    "every failing write leaves nothing but what was there", .needsTools,
    arguments: ["mkdirat", "write", "fsync", "renameat2"])
  func failures(call: String) throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let before = try names(forms.folder.url.path)
    var attempt = 1
    while attempt < 100 {
      let result = try Tool.run(
        "strace",
        ["-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):error=ENOSPC:when=\(attempt)"]
          + [Tool.carryover.path, "extract", forms.path("backup"), "--output", forms.path("out")])
      // With everything in place, only the report could fail.
      if FileManager.default.fileExists(atPath: forms.path("out/Library")) {
        #expect(result.status == 0 || result.error.contains("Standard output"))
        break
      }
      #expect(result.status == 1, "\(call) \(attempt)")
      #expect(try names(forms.folder.url.path) == before, "\(call) \(attempt): \(result.error)")
      attempt += 3
    }
    #expect(attempt > 1 && attempt < 100)
  }

  @Test("killed, it leaves a folder with a name that says whose it is, and works the next time", .needsTools)
  func killed() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let arguments = [Tool.carryover.path, "extract", forms.path("package.zip"), "--output", forms.path("out")]
    let killed = try Tool.run(
      "strace", ["-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:signal=KILL:when=3"] + arguments)
    #expect(killed.status == 128 + 9)
    #expect(!FileManager.default.fileExists(atPath: forms.path("out")))
    #expect(FileManager.default.fileExists(atPath: forms.path(".carryover-extract-1.tmp")))
    #expect(try Tool.run(arguments[0], Array(arguments.dropFirst())).status == 0)
    #expect(FileManager.default.fileExists(atPath: forms.path("out/AppDataInfo.plist")))
  }
}

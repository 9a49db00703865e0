@testable import CarryoverCommand

@Suite("Taking an app's files out", .serialized) struct ExtractTests {
  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
  }

  /// Makes an archive that contains a package once for each name, in a folder of that name.
  private func pack(_ package: String, as names: [String], in archive: String) throws {
    let script = """
      import os, sys, zipfile
      with zipfile.ZipFile(sys.argv[2], 'w') as archive:
          for place, _, names in os.walk(sys.argv[1]):
              for name in names:
                  path = os.path.join(place, name)
                  for start in sys.argv[3:]:
                      archive.write(path, os.path.join(start, os.path.relpath(path, sys.argv[1])))
      """
    try Tool.run("python3", ["-c", script, package, archive] + names).ended()
  }

  @Test func `the files are those that were packed, readable by their owner alone; the work goes on there`() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    for (form, original) in [
      ("package.zip", "Shop.xcappdata"), ("folder.tar.gz", "folder"), ("backup", "folder"), ("backup.zip", "folder"),
    ] {
      let output = forms.path("out-" + form)
      let result = try Tool.carryover("extract", forms.path(form), "--output", output, "--json")
      #expect(result.status == 0, "\(form): \(result.error)")
      let report = try result.json("extract-1")
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
      let applied = try Tool.carryover(["apply", output, "--yes"] + SampleCopy.planning)
      #expect(applied.status == 0, "\(form): \(applied.error)")
    }
    #expect(try names(forms.folder.path).allSatisfy { !$0.contains("carryover-extract") })
  }

  @Test func `every archive of a folder becomes a container of its own, and apply migrates all of them`() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let (cases, output) = (forms.path("cases"), forms.path("out"))
    try FileManager.default.createDirectory(atPath: cases + "/old", withIntermediateDirectories: true)
    // The last name without its ending would lead out of the folder.
    for (form, name) in [
      ("package.zip", "Anna.zip"), ("folder.tar.gz", "old/Anna.tar.gz"), ("Shop.xcappdata", "Plain.xcappdata"),
      ("package.zip", "...zip"),
    ] {
      try FileManager.default.copyItem(atPath: forms.path(form), toPath: cases + "/" + name)
    }
    try pack(forms.path("Shop.xcappdata"), as: ["one", "two"], in: cases + "/Two.zip")
    try Data("PK\u{3}\u{4}".utf8).write(to: URL(fileURLWithPath: cases + "/bad.zip"))
    let before = try FileState.files(under: cases)
    let result = try Tool.carryover("extract", cases, "--output", output)
    #expect(result.status == 1 && result.error.contains("1 of 6 containers was not extracted."), "\(result.error)")
    #expect(result.output.contains("7 containers: 5 extracted, 1 failed, 1 not in an archive."), "\(result.output)")
    #expect(result.output.contains("✗ bad.zip") && result.output.contains("carryover apply "), "\(result.output)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: output).sorted() == [
        "Anna.xcappdata", "Two-one.xcappdata", "Two-two.xcappdata", "container.xcappdata", "old-Anna",
      ])
    let applied = try Tool.carryover(["apply", output, "--yes"] + SampleCopy.planning).ended()
    #expect(applied.output.contains("5 containers: 5 applied."), "\(applied.output)")
    let after = try FileState.files(under: output)
    try Tool.carryover("extract", cases, "--output", output).ended(1, saying: "already exists")
    #expect(try FileState.files(under: output) == after && FileState.files(under: cases) == before)

    let document = try Tool.carryover("extract", cases, "--output", forms.path("json"), "--json").json("extractions-1")
    let containers = try #require(document["containers"] as? [[String: Any]])
    #expect(
      containers.map { "\($0["path"] ?? ""): \($0["outcome"] ?? "")" } == [
        "...zip: extracted", "Anna.zip: extracted", "Plain.xcappdata: not-archived", "Two.zip/one: extracted",
        "Two.zip/two: extracted", "bad.zip: failed", "old/Anna.tar.gz: extracted",
      ])
  }

  @Test func `an archive is opened once for all the containers in it`() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let archive = forms.path("Three.zip")
    try pack(forms.path("Shop.xcappdata"), as: ["one", "two", "three"], in: archive)
    let container = ContainerArguments(archive, bundleID: nil, choosing: ChoosingArguments())
    let fileSystem = CountingFileSystem()
    var redacting = RedactionArguments()
    redacting.redact = false
    let batch = ExtractionBatch(
      inputs: [BatchInput(container: container, shown: "Three.zip")], output: forms.path("out"), withState: false,
      redacting: redacting, fileSystem: fileSystem)
    #expect(try batch.run().failure == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: forms.path("out")).count == 3)
    #expect(fileSystem.looks(at: archive) == 1)
  }

  @Test(.needsTools) func `an archive is read as often for many containers as for two`() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    // Not read when the archive is opened.
    let picture = "AppData/Library/Caches/picture.bin"
    let content = [UInt8](repeating: 7, count: 50_000)
    try forms.folder.place("Shop.xcappdata/" + picture, content)
    var counts: [Int] = []
    for names in [["one", "two"], ["one", "two", "three", "four", "five"]] {
      let (cases, output) = (forms.path("cases-\(names.count)"), forms.path("out-\(names.count)"))
      try FileManager.default.createDirectory(atPath: cases, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: forms.path("Shop.xcappdata"), toPath: cases + "/Plain.xcappdata")
      try pack(forms.path("Shop.xcappdata"), as: names, in: cases + "/Many.zip")
      let log = forms.path("strace.log")
      try Tool.run(
        "strace",
        ["-f", "-o", log, "-e", "trace=open,openat", Tool.carryover.path, "extract", cases, "--output", output]
      ).ended()
      let opened = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      counts.append(opened.count { $0.contains("Many.zip\"") })
      for name in names {
        let made = try Data(contentsOf: URL(fileURLWithPath: "\(output)/Many-\(name).xcappdata/\(picture)"))
        #expect(made == Data(content), "\(name)")
      }
    }
    #expect(counts[0] > 1 && counts[0] == counts[1], "\(counts)")
  }

  @Test func `an archive of several is extracted whole, by itself and alone in a folder`() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let archive = forms.path("cases/Two.zip")
    try FileManager.default.createDirectory(atPath: forms.path("cases"), withIntermediateDirectories: true)
    try pack(forms.path("Shop.xcappdata"), as: ["one", "two"], in: archive)
    for (path, output) in [(archive, "of-file"), (forms.path("cases"), "of-folder")] {
      let result = try Tool.carryover("extract", path, "--output", forms.path(output)).ended()
      #expect(result.output.contains("2 containers: 2 extracted."), "\(result.output)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: forms.path(output)).sorted() == [
          "Two-one.xcappdata", "Two-two.xcappdata",
        ])
    }
    let one = try Tool.carryover("extract", archive, "--container", "one", "--output", forms.path("one")).ended()
    #expect(one.output.contains("Extracted to"), "\(one.output)")
  }

  @Test func `every container of a large archive is extracted`() throws {
    let folder = TemporaryFolder()
    let pack = """
      import plistlib, sys, zipfile
      with zipfile.ZipFile(sys.argv[1], 'w') as archive:
          for number in range(1001):
              archive.writestr('com.acme.app%d.plist' % number, plistlib.dumps({'number': number}))
      """
    try Tool.run("python3", ["-c", pack, folder.path("Many.zip")]).ended()
    let result = try Tool.carryover("extract", folder.path("Many.zip"), "--output", folder.path("out")).ended()
    #expect(result.output.contains("1001 containers: 1001 extracted."), "\(result.output.prefix(200))")
  }

  @Test func `with --redact, no command is printed`() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let preferences = forms.path("folder/Library/Preferences/com.acme.shop.plist")
    let pack = """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[2], 'w') as packed:
          for place in ['one', 'two']:
              packed.write(sys.argv[1], place + '/bob@acme.example.plist')
      """
    try FileManager.default.createDirectory(atPath: forms.path("cases"), withIntermediateDirectories: true)
    for name in ["Anna", "Ben"] {
      try Tool.run("python3", ["-c", pack, preferences, forms.path("cases/\(name).zip")]).ended()
    }
    let open = try Tool.carryover("extract", forms.path("cases"), "--output", forms.path("open")).ended()
    #expect(open.output.contains("carryover apply") && open.output.contains("bob@acme.example"), "\(open.output)")
    let masked = try Tool.carryover("extract", forms.path("cases"), "--output", forms.path("masked"), "--redact")
      .ended()
    #expect(masked.output.contains("4 containers: 4 extracted."), "\(masked.output)")
    #expect(!masked.output.contains("carryover apply") && !masked.output.contains("bob@"), "\(masked.output)")
  }

  @Test func `the printed path opens a property list that is alone in an archive`() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let preferences = forms.path("folder/Library/Preferences/com.acme.shop.plist")
    let pack = """
      import os, sys, zipfile
      for archive in sys.argv[2:]:
          with zipfile.ZipFile(archive, 'w') as packed:
              packed.write(sys.argv[1], os.path.basename(sys.argv[1]))
      """
    try FileManager.default.createDirectory(atPath: forms.path("cases"), withIntermediateDirectories: true)
    let archives = ["Anna", "Ben"].map { forms.path("cases/\($0).zip") }
    try Tool.run("python3", ["-c", pack, preferences] + archives).ended()
    let (one, all) = (forms.path("one"), forms.path("all"))
    let single = try Tool.carryover("extract", archives[0], "--output", one).ended()
    #expect(single.output.contains("\(one)/com.acme.shop.plist."), "\(single.output)")
    let result = try Tool.carryover("extract", forms.path("cases"), "--output", all).ended()
    let places = ["Anna", "Ben"].map { "\(all)/\($0)/com.acme.shop.plist" }
    for place in places { #expect(result.output.contains(place), "\(result.output)") }
    let applied = try Tool.carryover(["apply"] + places + ["--yes"] + SampleCopy.planning).ended()
    #expect(applied.output.contains("2 containers: 2 applied."), "\(applied.output)")
  }

  @Test func `a folder without archives has nothing to extract, and no folder is left`() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    try FileManager.default.createDirectory(atPath: forms.path("cases"), withIntermediateDirectories: true)
    for name in ["a.xcappdata", "b.xcappdata"] {
      try FileManager.default.copyItem(atPath: forms.path("Shop.xcappdata"), toPath: forms.path("cases/" + name))
    }
    try Tool.carryover("extract", forms.path("cases"), "--output", forms.path("out"))
      .ended(1, saying: "there is nothing to extract")
    #expect(!FileManager.default.fileExists(atPath: forms.path("out")))
  }

  @Test func `what could not be taken out is listed; no link is made`() throws {
    let forms = try Forms(of: SampleCopy.original("AcmeShop").path, others: 1)
    let output = forms.path("out")
    let result = try Tool.carryover("extract", forms.path("backup"), "--app", "com.acme.shop", "-o", output)
      .ended()
    #expect(result.output.contains("Skipped: 2"))
    #expect(result.output.contains("“Library/Preferences/lost.plist”: the backup lists it"))
    #expect(result.output.contains("“Documents/latest”: a symbolic link"))
    let made = try names(output)
    #expect(!made.contains("Documents/latest") && !made.contains("Library/Preferences/lost.plist"))
    #expect(made.contains("AppGroups/group.com.acme.shop/Library/Preferences/group.com.acme.shop.plist"))
    let inspected = try Tool.carryover("inspect", output).prints("AppGroups/group.com.acme.shop")
    #expect(inspected.output.contains("com.acme.shop · folder"))
  }

  @Test func `nothing is written over what is there, into the backup, or for a container that is in nothing`() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    try FileManager.default.createDirectory(atPath: forms.path("empty"), withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: forms.path("file")))
    try FileManager.default.createSymbolicLink(atPath: forms.path("link"), withDestinationPath: "nowhere")
    let before = try FileState.files(under: forms.folder.path)
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
    #expect(try FileState.files(under: forms.folder.path) == before)
  }

  @Test(.needsTools, arguments: ["INT": 2, "TERM": 15, "HUP": 1])
  func `a signal ends it, and what had been made is gone`(signal: String, number: Int32) throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let before = try names(forms.folder.path)
    let result = try Tool.carryover(
      ["extract", forms.path("package.zip"), "--output", forms.path("out")], "signal=SIG\(signal):when=2")
    #expect(result.status == 128 + number, "\(result.error)")
    #expect(try names(forms.folder.path) == before)
  }

  @Test(.needsTools, arguments: ["mkdirat", "write", "fsync", "renameat2"])
  func `every failing write leaves nothing but what was there`(call: String) throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let before = try names(forms.folder.path)
    var attempt = 1
    while attempt < 100 {
      let result = try Tool.carryover(
        ["extract", forms.path("backup"), "--output", forms.path("out")], tampering: call,
        "error=ENOSPC:when=\(attempt)")
      // With everything in place, only the report could fail.
      if FileManager.default.fileExists(atPath: forms.path("out/Library")) {
        #expect(result.status == 0 || result.error.contains("Standard output"))
        break
      }
      #expect(result.status == 1, "\(call) \(attempt)")
      #expect(try names(forms.folder.path) == before, "\(call) \(attempt): \(result.error)")
      attempt += 3
    }
    #expect(attempt > 1 && attempt < 100)
  }

  @Test(.needsTools)
  func `killed, it leaves a folder with a name that says whose it is, and works the next time`() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let arguments = ["extract", forms.path("package.zip"), "--output", forms.path("out")]
    #expect(try Tool.carryover(arguments, "signal=KILL:when=3").status == 128 + 9)
    #expect(!FileManager.default.fileExists(atPath: forms.path("out")))
    #expect(FileManager.default.fileExists(atPath: forms.path(".carryover-extract-1.tmp")))
    #expect(try Tool.carryover(arguments).status == 0)
    #expect(FileManager.default.fileExists(atPath: forms.path("out/AppDataInfo.plist")))
  }
}

/// The disk. Counts the reads of the first bytes of a file, of which every opening makes one.
private final class CountingFileSystem: FileSystemLayer {
  let base: any FileSystem = POSIXFileSystem()
  private let counts = Locked<[String: Int]>([:])

  func looks(at path: String) -> Int { counts.withLock { $0[path, default: 0] } }

  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    if offset == 0 { counts.withLock { $0[path, default: 0] += 1 } }
    return try base.read(path, from: offset, count: count)
  }
}

@Suite("One container in every form") struct FormsTests {
  /// What a plan says, whatever the form: where the data folder is aside.
  private func plan(_ path: String, _ more: [String] = []) throws -> [String: String] {
    let result = try Tool.carryover(["plan", path, "--json"] + SampleCopy.planning + more)
    guard result.status == 0 else { throw Tool.Missing("a plan of \(path): \(result.error)") }
    let plan = try Tool.Result(
      status: 0, output: result.output.replacingOccurrences(of: "AppData/", with: ""), error: ""
    ).json()
    var parts: [String: String] = [:]
    for name in ["target", "fields", "findings", "dropped", "decisions", "basis"] {
      let value = try #require(plan[name])
      let bytes = try JSONSerialization.data(withJSONObject: [value], options: [.sortedKeys, .prettyPrinted])
      parts[name] = String(decoding: bytes, as: UTF8.self)
    }
    return parts
  }

  @Test(arguments: Extent.isFull ? ["AcmeShop", "Disagree", "HalfFilled", "OptedOut"] : ["HalfFilled"])
  func `the plan is the same from all of them`(sample: String) throws {
    let forms = try Forms(of: SampleCopy.original(sample).path)
    let expected = try plan(forms.path("Shop.xcappdata"))
    for form in Forms.all { #expect(try plan(forms.path(form)) == expected, "\(sample) as \(form)") }
  }

  @Test func `unsent events are counted in all of them`() throws {
    let sample = try SampleCopy("Clean")
    let script = """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute('PRAGMA journal_mode = WAL')
      database.execute('CREATE TABLE events (id INTEGER PRIMARY KEY, message TEXT)')
      database.executemany('INSERT INTO events (message) VALUES (?)', [('x',)] * 7)
      database.commit()
      database.close()
      """
    try Tool.run("python3", ["-c", script, sample.path + "/AppData/Library/rl_persistence.sqlite"]).ended()
    let forms = try Forms(of: sample)
    let expected = try plan(forms.path("Shop.xcappdata"))
    #expect(expected["findings"]?.contains("7 unsent events") == true)
    for form in Forms.all { #expect(try plan(forms.path(form)) == expected, "\(form)") }
  }

  @Test func `runs made before it was packed came along: they are listed, and nothing is written`() throws {
    let sample = try SampleCopy("Clean")
    #expect(try sample.run("apply", "--yes").status == 0)
    let forms = try Forms(of: sample)
    let zip = forms.path("package.zip")
    let expected = try plan(forms.path("Shop.xcappdata"))
    #expect(expected["fields"]?.contains("unchanged") == true)
    #expect(try plan(zip) == expected)
    #expect(try Tool.runs(of: zip).map { $0["standing"] as? String } == ["came-along"])
  }

  @Test(.needsTools)
  func `a run that was cut off before it was packed is reported by what reads, and not brought to an end`() throws {
    let sample = try SampleCopy.interrupted()
    let forms = try Forms(of: sample)
    let there = try Tool.carryover(["plan", forms.path("Shop.xcappdata")] + SampleCopy.planning)
    let packed = try Tool.carryover(["plan", forms.path("package.zip")] + SampleCopy.planning)
    #expect(packed.status == there.status)
    #expect(packed.error.hasPrefix(there.error.dropLast()) && packed.error.contains("carryover extract"))
  }

  @Test(arguments: Forms.wrapped)
  func `what writes is refused before anything else, with what to do`(form: String) throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let before = try FileState.files(under: forms.folder.path)
    let path = forms.path(form)
    for arguments in [
      ["apply", path, "--yes"] + SampleCopy.planning, ["apply", path, "--yes"], ["rollback", path, "--yes"],
      ["cleanup", path, "--yes"], ["recover", path], ["recover", path, "--keep", "--yes"],
      ["history", "prune", path, "--keep", "0", "--yes"],
    ] {
      let result = try Tool.carryover(arguments + (arguments[0] == "history" ? [] : ["--live"]))
      #expect(result.status == 1, "\(arguments)")
      #expect(result.error.contains("read-only") && result.error.contains("carryover extract"), "\(result.error)")
      #expect(result.output.isEmpty)
    }
    #expect(try FileState.files(under: forms.folder.path) == before)
  }

  @Test(.needsTools) func `reading makes no call that writes, in any form`() throws {
    let forms = try Forms(of: SampleCopy.original("AcmeShop").path)
    let log = forms.path("strace.log")
    for form in Forms.all {
      for arguments in [["inspect", forms.path(form)], ["list", forms.path(form)]] {
        let result = try Tool.run("strace", ["-f", "-o", log, "-e", Trace.calls, Tool.carryover.path] + arguments)
        #expect(result.status == 0, "\(arguments): \(result.error)")
        let writing = try Trace.writing(in: log)
        #expect(writing.isEmpty, "\(arguments): \(writing)")
      }
    }
  }

  @Test func `a saved plan of a container in an archive is not applied there, but to what was extracted`() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let plan = forms.path("plan.json")
    try Tool.carryover(["plan", forms.path("package.zip"), "-o", plan] + SampleCopy.planning).ended()
    try Tool.carryover("apply", plan, "--yes").ended(1, saying: "carryover extract")
    #expect(try Tool.carryover("extract", forms.path("package.zip"), "--output", forms.path("out")).status == 0)
    try Tool.carryover("apply", plan, "--container", forms.path("out"), "--yes").ended()
    try Tool.carryover("apply", plan, "--app", "com.acme.shop", "--yes").ended(64)
  }
}

/// One container in every form that support is sent, made by CPython's own libraries.
struct Forms {
  let folder: TemporaryFolder

  /// The names below the folder under which the container lies, as an argument names it.
  static let all = [
    "Shop.xcappdata", "folder", "package.zip", "folder.tar.gz", "backup", "backup.zip",
    "package.zip/case/Shop.xcappdata",
    "backup/com.acme.shop", "backup.zip/device/com.acme.shop",
  ]
  static let wrapped = all.filter { $0 != "Shop.xcappdata" && $0 != "folder" }

  init(of source: String, others: Int = 0) throws {
    folder = TemporaryFolder()
    let result = try Tool.run("python3", ["-c", Self.script, source, folder.path, "\(others)"])
    guard result.status == 0 else { throw Tool.Missing(result.error) }
  }

  init(of sample: SampleCopy) throws { try self.init(of: sample.path) }

  func path(_ form: String) -> String { folder.path(form) }

  private static let script = #"""
    import hashlib, os, plistlib, shutil, sqlite3, sys, tarfile, zipfile
    source, out, others = sys.argv[1], sys.argv[2], int(sys.argv[3])

    package = os.path.join(out, 'Shop.xcappdata')
    shutil.copytree(source, package, symlinks=True)
    folder = os.path.join(out, 'folder')
    shutil.copytree(os.path.join(source, 'AppData'), folder, symlinks=True)
    metadata = '.com.apple.mobile_container_manager.metadata.plist'
    with open(os.path.join(folder, metadata), 'wb') as file:
        plistlib.dump({'MCMMetadataIdentifier': 'com.acme.shop'}, file)

    def pack(name, root, start):
        with zipfile.ZipFile(os.path.join(out, name), 'w', zipfile.ZIP_DEFLATED) as archive:
            for place, _, names in os.walk(root):
                for entry in names:
                    path = os.path.join(place, entry)
                    archive.write(path, os.path.join(start, os.path.relpath(path, root)))

    pack('package.zip', package, 'case/Shop.xcappdata')
    with tarfile.open(os.path.join(out, 'folder.tar.gz'), 'w:gz') as archive:
        archive.add(folder, '.')

    backup = os.path.join(out, 'backup')
    os.mkdir(backup)
    index = sqlite3.connect(os.path.join(backup, 'Manifest.db'))
    index.execute('CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB)')
    index.execute('CREATE TABLE Properties (key TEXT PRIMARY KEY, value BLOB)')

    def keep(domain, path, flags, content=None):
        name = hashlib.sha1((domain + '-' + path).encode()).hexdigest()
        index.execute('INSERT INTO Files VALUES (?, ?, ?, ?, ?)', (name, domain, path, flags, b''))
        if content is not None:
            os.makedirs(os.path.join(backup, name[:2]), exist_ok=True)
            with open(os.path.join(backup, name[:2], name), 'wb') as file:
                file.write(content)

    domain = 'AppDomain-com.acme.shop'
    keep(domain, '', 2)
    for place, folders, names in os.walk(folder):
        for entry in folders:
            path = os.path.join(place, entry)
            keep(domain, os.path.relpath(path, folder), 4 if os.path.islink(path) else 2)
        for entry in names:
            path = os.path.join(place, entry)
            if entry != metadata:
                with open(path, 'rb') as file:
                    keep(domain, os.path.relpath(path, folder), 1, file.read())
    for number in range(others):
        keep('AppDomain-com.other.app%d' % number, 'Library/Preferences/com.other.app%d.plist' % number, 1,
             plistlib.dumps({'number': number}))
    if others:
        keep(domain, 'Library/Preferences/lost.plist', 1)
        keep(domain, 'Documents/latest', 4)
        keep('AppDomainGroup-group.com.acme.shop', 'Library/Preferences/group.com.acme.shop.plist', 1,
             plistlib.dumps({'shared': True}))
    index.commit()
    index.close()
    for name, content in [('Manifest.plist', {'IsEncrypted': False, 'Version': '10.0'}), ('Info.plist', {}), ('Status.plist', {})]:
        with open(os.path.join(backup, name), 'wb') as file:
            plistlib.dump(content, file)
    pack('backup.zip', backup, 'device')
    """#
}

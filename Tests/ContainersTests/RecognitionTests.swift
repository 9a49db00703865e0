@testable import CarryoverContainers

@Suite("Telling what a path is, by its content") struct RecognitionTests {
  let fixture = TemporaryFolder()

  @Test func `A folder with AppDataInfo.plist and AppData is an Xcode package, whatever its name`() throws {
    try fixture.makePackage("whatever")
    let container = try fixture.open("whatever")
    #expect(container.kind == .xcappdata)
    #expect(container.root == fixture("whatever"))
    #expect(container.dataFolder == "AppData")
    #expect(container.stateDirectory == fixture("whatever/.carryover"))
    #expect(
      container.stores.map(\.path) == [
        "AppData/Library/Preferences/com.acme.shop.plist", "AppData/Library/rsDefaultsPersistence.plist",
      ])
    #expect(container.notices.isEmpty)
  }

  @Test func `A package without its AppDataInfo.plist is opened, and says so`() throws {
    try fixture.makePackage("p", bundleID: nil)
    let container = try fixture.open("p")
    #expect(container.kind == .xcappdata)
    #expect(container.bundleIDOrigin == .singleCandidate)
    #expect(container.hasOneNotice("AppDataInfo.plist"))
  }

  @Test func `The AppData of a package opens the package, so that backups are beside it and not in it`() throws {
    try fixture.makePackage("p")
    let container = try fixture.open("p/AppData/")
    #expect(container.kind == .xcappdata)
    #expect(container.root == fixture("p"))
    #expect(container.bundleIDOrigin == .appDataInfo)
  }

  @Test func `A folder with Library in it is an app's data container`() throws {
    try fixture.makeDataContainer("x")
    let container = try fixture.open("x")
    #expect(container.kind == .folder)
    #expect(container.dataFolder.isEmpty)
    #expect(container.stateDirectory == fixture("x/.carryover"))
    #expect(container.store("Library/Preferences/com.acme.shop.plist")?.dictionary?["theme"] == "dark")
  }

  @Test func `A folder with nothing but the container manager's metadata is a container without stores`() throws {
    try fixture.write(
      "x/.com.apple.mobile_container_manager.metadata.plist", plist: ["MCMMetadataIdentifier": "com.acme.shop"])
    let container = try fixture.open("x")
    #expect(container.kind == .folder)
    #expect(container.bundleID == "com.acme.shop")
    #expect(container.stores.isEmpty)
  }

  @Test(arguments: ["x/", "x//", "x/.", "./x/./", "x"])
  func `Slashes at the end, double slashes and dots change nothing`(path: String) throws {
    try fixture.makeDataContainer("x")
    #expect(try fixture.open(path).root == fixture("x"))
  }

  @Test func `A path is taken from the working directory, and “.” is that folder`() throws {
    let here = FileManager.default.currentDirectoryPath
    let error = #expect(throws: ContainerError.self) {
      try ContainerOpener(fileSystem: POSIXFileSystem()).open("./no-such-container/")
    }
    #expect(error?.kind == .notFound)
    #expect(error?.path == here + "/no-such-container")
    let asFolder = #expect(throws: ContainerError.self) {
      try ContainerOpener(fileSystem: GuardedFileSystem(denying: [here])).open(".")
    }
    #expect(asFolder == ContainerError(here, .permissionDenied))
  }

  @Test func `The state directory that the caller names is taken`() throws {
    try fixture.makePackage("p")
    #expect(try fixture.open("p", ContainerOptions(stateDirectory: "/elsewhere")).stateDirectory == "/elsewhere")
    let file = "p/AppData/Library/rsDefaultsPersistence.plist"
    #expect(try fixture.open(file, ContainerOptions(stateDirectory: "/elsewhere")).stateDirectory == "/elsewhere")
  }

  @Test func `However it is spelled, a container has one root, one state directory, and its given name`() throws {
    try fixture.makePackage("real/p")
    try fixture.makeFolder("real/state")
    try fixture.link("way", to: "real")
    try fixture.link("real/linked", to: "p")
    let spellings = ["real/p", "way/p", "way/../real/./p//", "real/p/AppData", "way/p/AppData", "real/p/AppData/../"]
    for (spelling, state) in zip(
      spellings, ["way/state", "real/p/../state", "way/state/", "real/state", "way/p/../state", "real/state"])
    {
      let container = try fixture.open(spelling, ContainerOptions(stateDirectory: fixture(state)))
      #expect(container.root == fixture("real/p"), "\(spelling)")
      #expect(container.stateDirectory == fixture("real/state"), "\(state)")
      #expect(container.name == "p", "\(spelling)")
      #expect(PlanRequest(container, options: PlannerOptions()).container == fixture("real/p"))
    }
    let file = try fixture.open("way/p/AppData/Library/../Library/rsDefaultsPersistence.plist")
    #expect(file.root == fixture("real/p/AppData/Library"))
    #expect(file.stateDirectory == fixture("real/p/AppData/Library/.carryover"))
    #expect(file.name == "rsDefaultsPersistence.plist")
    #expect(throws: ContainerError(fixture("way/linked"), .symbolicLink)) { try fixture.open("way/linked") }
    #expect(throws: ContainerError(fixture("way/none"), .notFound)) { try fixture.open("way/none") }
    #expect(throws: ContainerError(fixture("none/p"), .notFound)) { try fixture.open("none/p") }
    let missing = ContainerOptions(stateDirectory: fixture("none/../x/state"))
    #expect(try fixture.open("real/p", missing).stateDirectory == fixture("none/../x/state"))
  }

  @Test func `Paths that lead to nothing readable are refused with the reason`() throws {
    try fixture.makeFolder("empty")
    try fixture.write("other/readme.txt", "hello".utf8)
    try fixture.write("half/AppDataInfo.plist", plist: ["CFBundleIdentifier": "com.acme.shop"])
    try fixture.link("linked", to: "other")
    #expect(fixture.refusal("nothing") == .notFound)
    #expect(fixture.refusal("other/readme.txt/deeper") == .notFound)
    #expect(fixture.refusal("empty") == .emptyFolder)
    #expect(fixture.refusal("other") == .notContainer)
    #expect(fixture.refusal("half") == .incompletePackage)
    #expect(fixture.refusal("linked/") == .symbolicLink)
    let opener = ContainerOpener(fileSystem: POSIXFileSystem())
    #expect(throws: ContainerError("", .invalidPath)) { try opener.open("") }
    #expect(throws: ContainerError("a\0b", .invalidPath)) { try opener.open("a\0b") }
    #expect(throws: ContainerError("/dev/null", .notFileOrFolder)) { try opener.open("/dev/null") }
  }

  @Test func `A pipe is refused at once, not waited for`() throws {
    #expect(mkfifo(fixture("pipe.plist"), 0o600) == 0)
    #expect(fixture.refusal("pipe.plist") == .notFileOrFolder)
  }

  @Test func `A folder inside a container names the container to give`() throws {
    try fixture.makeDataContainer("x")
    #expect(fixture.refusal("x/Library") == .partOfContainer(fixture("x")))
    #expect(fixture.refusal("x/Library/Preferences") == .partOfContainer(fixture("x")))
  }

  @Test func `Library or AppData that is a symbolic link is not followed, and named`() throws {
    try fixture.makeDataContainer("x")
    try fixture.link("y/Library", to: fixture("x/Library"))
    #expect(fixture.refusal("y") == .linkedFolder("Library"))
    try fixture.write("z/AppDataInfo.plist", plist: ["CFBundleIdentifier": "com.acme.shop"])
    try fixture.link("z/AppData", to: fixture("x"))
    #expect(fixture.refusal("z") == .linkedFolder("AppData"))
  }

  @Test(arguments: [true, false])
  func `A link in the place of a package's Library is refused, with AppDataInfo.plist or not`(hasInfo: Bool) throws {
    try fixture.makeDataContainer("x")
    if hasInfo { try fixture.write("p/AppDataInfo.plist", plist: ["CFBundleIdentifier": "com.acme.shop"]) }
    try fixture.link("p/AppData/Library", to: fixture("x/Library"))
    #expect(throws: ContainerError(fixture("p"), .linkedFolder("AppData/Library"))) { try fixture.open("p") }
    #expect(fixture.refusal("p/AppData") == .linkedFolder("Library"))
  }

  @Test(arguments: ["../../x", "/nowhere"])
  func `A link in the place of Library/Preferences is refused, dangling or not`(destination: String) throws {
    try fixture.makeFolder("x")
    try fixture.write("p/AppDataInfo.plist", plist: ["CFBundleIdentifier": "com.acme.shop"])
    try fixture.link("p/AppData/Library/Preferences", to: destination)
    try fixture.link("y/Library/Preferences", to: destination)
    #expect(
      throws: ContainerError(fixture("p"), .linkedFolder("AppData/Library/Preferences"))
    ) { try fixture.open("p/AppData") }
    #expect(fixture.refusal("y") == .linkedFolder("Library/Preferences"))
  }

  @Test func `A container whose name is not UTF-8 is found, and opened by the text that stands for its bytes`() throws {
    try fixture.makeDataContainer("in/plain")
    let place = Array(fixture("in/").utf8CString.dropLast()) + [0x63, -23, 0x1B, 0]
    // File systems that take only UTF-8 refuse the name.
    guard rename(fixture("in/plain"), place) == 0 else {
      #expect(errno == EILSEQ)
      return
    }
    let opener = ContainerOpener(fileSystem: POSIXFileSystem())
    let candidate = try #require(try opener.containers(at: fixture("in")).candidates.first)
    #expect(candidate.path == "c\u{10FFE9}\u{1B}" && candidate.bundleID == "com.acme.shop")
    #expect(DisplayText.visible(candidate.path) == #"c\u{10FFE9}\u{1B}"#)
    let container = try fixture.open("in/" + candidate.path)
    #expect(container.root == fixture("in/" + candidate.path) && container.stores.count == 2)
    #expect(try fixture.open("in", ContainerOptions(selection: .path(candidate.path))).stores.count == 2)
  }

  @Test func `A slash before a combining mark separates folders, and no link on the way is followed`() throws {
    try fixture.makeDataContainer("in/\u{301}app")
    try fixture.link("link", to: fixture("in"))
    try Packer.pack(fixture("in.zip"), #"zip([("\u0301app/" + n, d) for n, d in content.items()])"#)
    let files = POSIXFileSystem()
    #expect(files.kind(at: "in/\u{301}app", below: fixture("")) == .directory)
    #expect(files.kind(at: "link/\u{301}app", below: fixture("")) == nil)
    #expect(try fixture.open("", ContainerOptions(selection: .path("in/\u{301}app"))).stores.count == 2)
    #expect(throws: ContainerError.self) {
      try fixture.open("", ContainerOptions(selection: .path("link/\u{301}app")))
    }
    #expect(try !fixture.open("in.zip/\u{301}app").stores.isEmpty)
  }

  @Test func `The text of every name is that name's alone, and gives its bytes`() throws {
    let names: [[UInt8]] = [
      [0xE9], [0xC3, 0xA9], [0xF4, 0x8F, 0xBF, 0xA9], [0xF4, 0x8F, 0xBF], [0xED, 0xA0, 0x80], [0x2E, 0xFF, 0x2E],
      [0xEF, 0xBF, 0xBD], [0xC0, 0xAF], [0xF4, 0x8F, 0xBC, 0xAF], Array(0x80...0xFF),
    ]
    let texts = names.map { name in
      (name + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { $0.baseAddress.map(SystemName.text) ?? "" }
    }
    #expect(Set(texts).count == names.count)
    for (name, text) in zip(names, texts) {
      #expect(SystemName.bytes(text).map { UInt8(bitPattern: $0) } == name + [0])
      // No byte becomes a separator.
      #expect(!text.utf8.contains(0x2F))
    }
  }

  @Test func `A path that has lost its bytes is not found, and the sentence says what it may be`() throws {
    let name = Array("caf".utf8) + [0xE9, 0]
    do throws(ContainerError) {
      _ = try fixture.open(String(decoding: name.dropLast(), as: UTF8.self))
      Issue.record("a path that lost its bytes was opened")
    } catch {
      #expect(error.kind == .notFound)
      #expect(error.description.contains("not UTF-8"))
    }
  }

  @Test func `What is not of Apple's systems, or only in iCloud, is said to be that`() throws {
    let xml =
      "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map>\n  <int name=\"a\" value=\"1\" />\n</map>"
    try fixture.write("droid/shared_prefs/a.xml", xml.utf8)
    #expect(fixture.refusal("droid") == .androidData)
    #expect(fixture.refusal("droid/shared_prefs/a.xml") == .androidData)
    try fixture.write("droid/shared_prefs/b.xml", "<mapping/>".utf8)
    #expect(fixture.refusal("droid/shared_prefs/b.xml") != .androidData)
    try fixture.makePackage("sent/a.xcappdata")
    try fixture.write("sent/droid/shared_prefs/a.xml", xml.utf8)
    let listing = try ContainerOpener(fileSystem: POSIXFileSystem()).containers(at: fixture("sent"))
    #expect(listing.notices.count == 1 && listing.notices.first?.contains("Android") == true)

    try fixture.write("x/Documents/.b.plist.icloud", plist: ["NSURLNameKey": "b.plist", "NSURLFileSizeKey": 9])
    try fixture.write("x/Library/Preferences/com.acme.shop.plist", xml.utf8)
    let container = try fixture.open("x")
    #expect(container.stores.map(\.path) == ["Library/Preferences/com.acme.shop.plist"])
    #expect(container.reason("Library/Preferences/com.acme.shop.plist")?.contains("file of Android") == true)
    #expect(
      container.notices.count == 1 && container.notices.first?.contains("“Documents/b.plist” is only in iCloud") == true
    )
    #expect(fixture.refusal("x/Documents/.b.plist.icloud") == .placeholder("b.plist"))
  }

  @Test func `A device backup is known by its manifest`() throws {
    try fixture.write("new/Manifest.db", "SQLite format 3\0".utf8)
    try fixture.write("old/Manifest.mbdb", "mbdb".utf8)
    try fixture.write("part/Manifest.plist", plist: ["IsEncrypted": false])
    try fixture.write("part/Info.plist", plist: [:])
    #expect(fixture.refusal("old") == .backup(.legacy))
    #expect(fixture.refusal("part") == .backup(.incomplete("Manifest.db")))
    #expect(fixture.refusal("new/Manifest.db") == .database)
  }

  @Test func `An archive is known by its first bytes, even when it is named like a package`() throws {
    let tar = [UInt8](repeating: 0x61, count: 257) + Array("ustar\0".utf8)
    let forms: [(ArchiveForm, [UInt8])] = [
      (.zip, [0x50, 0x4B, 0x03, 0x04, 0x14]), (.zip, [0x50, 0x4B, 0x05, 0x06]), (.gzip, [0x1F, 0x8B, 0x08]),
      (.bzip2, Array("BZh91AY".utf8)), (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]), (.tar, tar),
    ]
    for (form, bytes) in forms {
      #expect(FileSignature(bytes) == .archive(form))
      try fixture.write("Shop.xcappdata", bytes)
      switch fixture.refusal("Shop.xcappdata") {
      // One with nothing in it is an empty folder.
      case .refusedArchive?, .emptyFolder?: break
      case let other: Issue.record("\(form): \(String(describing: other))")
      }
    }
  }

  @Test func `A property list is no archive, whatever stands in it`() throws {
    let start = "<plist><string>"
    let text = start + String(repeating: "a", count: 257 - start.utf8.count) + "ustar</string></plist>"
    try fixture.write("a.plist", text.utf8)
    #expect(try fixture.open("a.plist").stores.count == 1)
  }

  @Test func `A file that is no property list is told from one that is damaged, and damage has a place`() throws {
    try fixture.write("empty.plist", [])
    try fixture.write("text.plist", "hello".utf8)
    try fixture.write("json.plist", "{\"a\": 1}".utf8)
    try fixture.write("cut.plist", "bplist00".utf8)
    try fixture.write("cut.xml", "<?xml version=\"1.0\"?>\n<plist><dict><key>a</key>".utf8)
    for name in ["empty.plist", "text.plist", "json.plist"] {
      guard case .notPropertyList = fixture.refusal(name) else { return #expect(Bool(false), "\(name)") }
    }
    for name in ["cut.plist", "cut.xml"] {
      guard case .corruptPropertyList = fixture.refusal(name) else { return #expect(Bool(false), "\(name)") }
    }
    guard case .corruptPropertyList(let error) = fixture.refusal("cut.xml") else { return }
    #expect(error.position?.line == 2)
    #expect(
      fixture.refusal("text.plist", ContainerOptions(limits: ContainerLimits(fileBytes: 4))) == .tooLarge(limit: 4))
  }

  @Test func `Folders and files that may not be read are refused as such`() throws {
    try fixture.makePackage("p")
    try fixture.write("a.plist", plist: [:])
    for path in [fixture("p"), fixture("a.plist")] {
      let opener = ContainerOpener(fileSystem: GuardedFileSystem(denying: [path]))
      #expect(throws: ContainerError(path, .permissionDenied)) { try opener.open(path) }
    }
  }

  @Test func `A bundle identifier given by the caller that cannot be one is refused, not replaced`() throws {
    try fixture.makePackage("p")
    #expect(fixture.refusal("p", ContainerOptions(bundleID: "../x")) == .invalidBundleID("../x"))
  }
}

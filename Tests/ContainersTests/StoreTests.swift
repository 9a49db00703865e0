@testable import CarryoverContainers

@Suite("The stores of a container") struct StoreTests {
  let fixture = TemporaryFolder()

  @Test func `Every property list in the known places is a store, by path; nothing else is`() throws {
    let stores = [
      "Documents/deep/n.plist", "Documents/g.plist", "Library/Application Support/a.plist",
      "Library/Application Support/sdk/b.plist", "Library/Application Support/sdk/deep/h.plist",
      "Library/Caches/c.plist", "Library/Preferences/.GlobalPreferences.plist",
      "Library/Preferences/.plist",
      "Library/Preferences/com.acme.shop.plist",
      "Library/Preferences/e.PLIST", "Library/Preferences/k/l.plist", "Library/f.plist",
    ]
    let others = [
      "tmp/o.plist",
      "Library/Caches/sdk/j.plist", "Library/Preferences/._com.acme.shop.plist",
      "Library/Preferences/m.txt",
    ]
    for path in stores + others { try fixture.write("x/" + path, plist: ["path": path]) }
    let container = try fixture.open("x")
    #expect(container.stores.map(\.path) == stores)
    for path in stores { #expect(container.store(path)?.dictionary?["path"] == .string(path)) }
  }

  @Test func `A store that cannot be read stays in the list, with the reason`() throws {
    let folder = "x/Library/Preferences/"
    let whole = try PropertyListSerialization.data(fromPropertyList: ["a": "b"], format: .binary, options: 0)
    try fixture.write(folder + "cut.plist", whole.dropLast(3))
    try fixture.write(folder + "empty.plist", [])
    try fixture.write(folder + "large.plist", [UInt8](repeating: 0x20, count: 300))
    try fixture.write(folder + "good.plist", whole)
    #expect(mkfifo(fixture(folder + "pipe.plist"), 0o600) == 0)
    try fixture.makeFolder(folder + "folder.plist")
    try fixture.link(folder + "link.plist", to: "good.plist")
    try fixture.link(folder + "nowhere.plist", to: "/nowhere")
    let container = try fixture.open("x", ContainerOptions(limits: ContainerLimits(fileBytes: 200)))
    let expected = [
      "folder": "is a folder", "cut": "could not be read", "empty": "The file is empty",
      "large": "larger than 200 bytes",
      "pipe": "not a regular file", "link": "symbolic link", "nowhere": "symbolic link",
    ]
    for (name, words) in expected {
      let path = "Library/Preferences/\(name).plist"
      let reason = container.reason(path)
      #expect(reason?.contains(words) == true, "\(reason ?? "no reason") for \(name)")
      #expect(reason?.contains(path) == true)
    }
    #expect(container.stores.count == expected.count + 1)
    #expect(container.store("Library/Preferences/good.plist")?.dictionary?["a"] == "b")
    let sizes = ["good": whole.count, "cut": whole.count - 3, "empty": 0, "large": 300, "folder": nil, "link": nil]
    for (name, size) in sizes { #expect(container.store("Library/Preferences/\(name).plist")?.size == size, "\(name)") }
  }

  @Test func `A store or folder that may not be read is said, and the others are read`() throws {
    try fixture.makeDataContainer("x")
    try fixture.write("x/Library/Caches/c.plist", plist: [:])
    let store = "Library/Preferences/com.acme.shop.plist"
    let files = GuardedFileSystem(denying: [fixture("x/" + store), fixture("x/Library/Caches")])
    let container = try ContainerOpener(fileSystem: files).open(fixture("x"))
    #expect(container.reason(store)?.contains("ermission denied") == true)
    #expect(container.stores.map(\.path) == [store, "Library/rsDefaultsPersistence.plist"])
    #expect(container.hasOneNotice("Library/Caches"))
  }

  @Test(arguments: ["Library/Application Support", "Library/Caches", "Library/SplashBoard"])
  func `Nothing below a link is asked for`(_ folder: String) throws {
    try fixture.makeDataContainer("x")
    try fixture.write("outside/Adjust/AdjustIoActivityState", [1])
    try fixture.link("x/" + folder, to: fixture("outside"))
    let files = GuardedFileSystem()
    _ = try ContainerOpener(fileSystem: files).open(fixture("x"))
    #expect(files.asked.contains(fixture("x/" + folder)))
    #expect(!files.asked.contains { $0.hasPrefix(fixture("x/" + folder) + "/") })
  }

  @Test func `A Library or Library/Preferences that may not be listed is an error that names it`() throws {
    try fixture.makePackage("p")
    try fixture.makeDataContainer("x")
    for (root, folder) in [
      ("p", "p/AppData/Library"), ("p", "p/AppData/Library/Preferences"), ("x", "x/Library"),
      ("x", "x/Library/Preferences"),
    ] {
      let opener = ContainerOpener(fileSystem: GuardedFileSystem(denying: [fixture(folder)]))
      #expect(throws: ContainerError(fixture(folder), .permissionDenied)) { try opener.open(fixture(root)) }
    }
  }

  @Test func `A file in the place of Library or Library/Preferences is an error that names it`() throws {
    try fixture.write("p/AppDataInfo.plist", plist: ["CFBundleIdentifier": "com.acme.shop"])
    try fixture.write("p/AppData/Library", [])
    try fixture.write("x/Library/Preferences", [])
    for (root, folder) in [("p", "p/AppData/Library"), ("x", "x/Library/Preferences")] {
      guard case .failed(let failure) = fixture.refusal(root) else { return #expect(Bool(false), "\(folder)") }
      #expect(failure.operation == .list)
      #expect(failure.path == fixture(folder))
    }
  }

  @Test func `What has a property list's name is listed in every place, whatever it is`() throws {
    for place in ["", "Preferences/", "Caches/", "Application Support/", "Application Support/sdk/"] {
      try fixture.makeFolder("x/Library/\(place)a.plist")
      try fixture.link("x/Library/\(place)b.plist", to: "/nowhere")
      #expect(mkfifo(fixture("x/Library/\(place)c.plist"), 0o600) == 0)
      try fixture.link("x/Library/\(place)d.plist", to: "/dev/null")
    }
    let container = try fixture.open("x")
    #expect(container.stores.count == 20)
    for store in container.stores {
      let words = [
        "a.plist": "is a folder", "b.plist": "symbolic link", "c.plist": "not a regular file",
        "d.plist": "symbolic link",
      ]
      #expect(container.reason(store.path)?.contains(try #require(words[store.name])) == true)
    }
  }

  @Test(.disabled(if: getuid() == 0, "root may read anything"))
  func `The system's own refusal is met like any other`() throws {
    try fixture.makeDataContainer("x")
    #expect(chmod(fixture("x/Library/Preferences/com.acme.shop.plist"), 0) == 0)
    let container = try fixture.open("x")
    #expect(container.reason("Library/Preferences/com.acme.shop.plist")?.contains("ermission denied") == true)
    for folder in ["x/Library/Preferences", "x/Library"] {
      #expect(chmod(fixture(folder), 0o300) == 0)
      let refusal = fixture.refusal("x")
      #expect(chmod(fixture(folder), 0o700) == 0)
      #expect(refusal == .permissionDenied)
    }
  }

  @Test func `A linked folder is not followed, and said`() throws {
    try fixture.write("outside/secret.plist", plist: ["a": "b"])
    try fixture.makeFolder("x/Library/Application Support")
    for name in ["Caches", "Application Support/sdk"] { try fixture.link("x/Library/" + name, to: fixture("outside")) }
    let files = GuardedFileSystem()
    let container = try ContainerOpener(fileSystem: files).open(fixture("x"))
    #expect(container.stores.isEmpty)
    #expect(container.notices.count == 2)
    #expect(container.notices.allSatisfy { $0.contains("symbolic link") })
    #expect(!files.read.contains { $0.hasSuffix("secret.plist") })
  }

  @Test func `A limit on stores, on their bytes and on folders is kept, and said when it is reached`() throws {
    for name in ["a", "b", "c", "d"] {
      try fixture.write("x/Library/Application Support/\(name)/s.plist", "<plist><dict/></plist>".utf8)
    }
    for name in ["0", "1", "2"] { try fixture.write("x/Library/Application Support/" + name, []) }
    let size = "<plist><dict/></plist>".utf8.count
    let few = try fixture.open("x", ContainerOptions(limits: ContainerLimits(stores: 3)))
    #expect(few.stores.count == 3)
    #expect(few.hasOneNotice("more than 3 stores"))
    let narrow = try fixture.open("x", ContainerOptions(limits: ContainerLimits(folders: 2)))
    #expect(narrow.stores.count == 2)
    #expect(narrow.hasOneNotice("more than 2 folders"))
    let small = try fixture.open("x", ContainerOptions(limits: ContainerLimits(totalBytes: size * 3)))
    #expect(small.stores.count == 4)
    #expect(small.stores.filter { $0.dictionary != nil }.count == 3)
    #expect(small.reason("Library/Application Support/d/s.plist")?.contains("limit of \(size * 3) bytes") == true)
    #expect(try fixture.open("x").notices.isEmpty)
  }

  @Test func `Hostile names of stores are kept apart from the words of a sentence`() throws {
    let name = "a\u{1B}[2J\n\u{202E}.plist"
    try fixture.write("x/Library/Preferences/" + name, [])
    let container = try fixture.open("x")
    let reason = try #require(container.reason("Library/Preferences/" + name))
    #expect(!reason.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    #expect(reason.contains("U+001B"), "\(reason)")
    #expect(container.bundleID == nil)
  }

  @Test func `Opening reads and writes nothing else: every path, size, mode and time stays`() throws {
    try fixture.makePackage("p")
    try Database.make(fixture("p/AppData/Library/rl_persistence.sqlite"), ["CREATE TABLE events(m)"])
    try fixture.write("one/com.acme.shop.plist", plist: ["rl_anonymous_id": "a"])
    let before = try fixture.listing()
    let package = try ContainerOpener(fileSystem: GuardedFileSystem()).open(fixture("p"))
    #expect(package.unsentEvents.map(\.count) == [0])
    _ = try ContainerOpener(fileSystem: GuardedFileSystem()).open(fixture("one/com.acme.shop.plist"))
    #expect(try fixture.listing() == before)
    #expect(before.count > 8)
  }
}

@Suite("A property list that came by itself") struct BareFileTests {
  let fixture = TemporaryFolder()

  @Test func `Its folder is the root, and paths are relative to it`() throws {
    try fixture.write("in/com.acme.shop.plist", plist: ["rl_anonymous_id": "a"])
    let container = try fixture.open("in/com.acme.shop.plist")
    #expect(container.kind == .propertyList)
    #expect(container.root == fixture("in"))
    #expect(container.dataFolder.isEmpty)
    #expect(container.stateDirectory == fixture("in/.carryover"))
    #expect(container.owner == ("com.acme.shop", .singleCandidate))
    #expect(container.stores.map(\.path) == ["com.acme.shop.plist"])
    #expect(container.path(ofSuite: .analytics, ["write-key": "key"]) == "com.acme.shop.analytics.key.plist")
  }

  @Test func `Files of the same app beside it are stores; others are not even read`() throws {
    let mine = ["com.acme.shop.analytics.k1.plist", "com.acme.shop.plist", "rsDefaultsPersistence.plist"]
    for name in mine + ["com.acme.other.plist", "com.acme.shop.widget.plist", "tax.plist"] {
      try fixture.write("in/" + name, plist: ["name": name])
    }
    for given in mine {
      let files = GuardedFileSystem()
      let container = try ContainerOpener(fileSystem: files).open(fixture("in/" + given))
      #expect(container.stores.map(\.path) == mine)
      #expect(container.bundleID == "com.acme.shop")
      #expect(container.writeKeys == ["k1"])
      #expect(files.read.count == 3)
    }
  }

  @Test func `A name that says nothing leaves the bundle identifier open, and the option closes it`() throws {
    try fixture.write("in/rsDefaultsPersistence.plist", plist: ["rl_anonymous_id": "a"], format: .xml)
    try fixture.write("in/com.acme.shop.plist", plist: [:])
    #expect(try fixture.open("in/rsDefaultsPersistence.plist").bundleID == nil)
    let container = try fixture.open("in/rsDefaultsPersistence.plist", ContainerOptions(bundleID: "com.acme.shop"))
    #expect(container.bundleIDOrigin == .option)
    #expect(container.stores.map(\.path) == ["com.acme.shop.plist", "rsDefaultsPersistence.plist"])
    try fixture.write("in/settings.bin", plist: ["a": 1])
    #expect(try fixture.open("in/settings.bin").bundleID == nil)
  }

  @Test func `A suite by itself names its app and its write key`() throws {
    try fixture.write("com.acme.shop.analytics.1xKey.plist", plist: ["anonymous_id": "a"])
    let container = try fixture.open("com.acme.shop.analytics.1xKey.plist")
    #expect(container.owner == ("com.acme.shop", .suite))
    #expect(container.writeKeys == ["1xKey"])
  }

  @Test func `A name that can be a suite's and an app's is told by the legacy SDK's keys in it`() throws {
    try fixture.write("com.acme.analytics.app.plist", plist: ["rl_anonymous_id": "a"])
    let container = try fixture.open("com.acme.analytics.app.plist")
    #expect(container.owner == ("com.acme.analytics.app", .singleCandidate))
    try fixture.write("a.analytics.b.analytics.c.plist", plist: [:])
    #expect(try fixture.open("a.analytics.b.analytics.c.plist").bundleID == nil)
  }

  @Test func `A companion that cannot be read, or is a link, is a store with its reason`() throws {
    try fixture.write("com.acme.shop.plist", plist: [:])
    try fixture.write("rsDefaultsPersistence.plist", [])
    try fixture.link("com.acme.shop.analytics.k.plist", to: "com.acme.shop.plist")
    let container = try fixture.open("com.acme.shop.plist")
    #expect(container.reason("rsDefaultsPersistence.plist")?.contains("empty") == true)
    #expect(container.reason("com.acme.shop.analytics.k.plist")?.contains("symbolic link") == true)
    #expect(container.store("com.acme.shop.plist")?.dictionary?.isEmpty == true)
  }

  @Test func `A file in a folder that cannot be listed is opened without companions`() throws {
    try fixture.write("in/com.acme.shop.plist", plist: [:])
    let container = try ContainerOpener(fileSystem: GuardedFileSystem(denying: [fixture("in")]))
      .open(fixture("in/com.acme.shop.plist"))
    #expect(container.stores.map(\.path) == ["com.acme.shop.plist"])
  }
}

@Suite("Opening a live container") struct LiveContainerTests {
  private static let device = "11111111-2222-3333-4444-555555555555"
  private static let folder =
    "CoreSimulator/Devices/\(device)/data/Containers/Data/Application/99999999-2222-3333-4444-555555555555"
  let fixture = TemporaryFolder()

  @Test func `A simulator's container is known as such in every form, and a copy of it is none`() throws {
    try fixture.makeDataContainer(Self.folder)
    try fixture.makePackage(Self.folder + "/Documents/Copy.xcappdata")
    try fixture.makeDataContainer("copy")
    let live = Liveness.simulator(device: Self.device)
    #expect(try fixture.open(Self.folder).liveness == live)
    #expect(try fixture.open(Self.folder + "/Library/Preferences/com.acme.shop.plist").liveness == live)
    #expect(try fixture.open(Self.folder + "/Documents/Copy.xcappdata").liveness == live)
    #expect(try fixture.open("copy").liveness == nil)
  }

  @Test func `The real path counts, not the one that was given`() throws {
    try fixture.makeDataContainer(Self.folder)
    try fixture.link("short", to: fixture("CoreSimulator/Devices/\(Self.device)/data/Containers/Data/Application"))
    #expect(try fixture.open("short/99999999-2222-3333-4444-555555555555").liveness == .simulator(device: Self.device))
    try fixture.makeDataContainer("copies/99999999-2222-3333-4444-555555555555")
    try fixture.makeFolder("CoreSimulator/Devices/\(Self.device)/data/Containers/Shared")
    try fixture.link("CoreSimulator/Devices/\(Self.device)/data/Containers/Shared/AppGroup", to: fixture("copies"))
    let shared = "CoreSimulator/Devices/\(Self.device)/data/Containers/Shared/AppGroup/"
    #expect(try fixture.open(shared + "99999999-2222-3333-4444-555555555555").liveness == nil)
  }

  @Test func `A Mac's own library is known by the home that was passed in, through links too`() throws {
    try fixture.makeDataContainer("ada")
    try fixture.makeDataContainer("ada/Library/Containers/com.acme.shop/Data")
    try fixture.makeDataContainer("ada/Desktop/copy")
    try fixture.write("ada/com.acme.shop.plist", plist: ["theme": "dark"])
    try fixture.link("me", to: fixture("ada"))
    let live = Liveness.home(fixture("ada"))
    for home in ["ada", "me", "me/", "./ada"] {
      let options = ContainerOptions(home: fixture(home))
      #expect(try fixture.open("ada", options).liveness == live)
      #expect(try fixture.open("ada/Library/Preferences/com.acme.shop.plist", options).liveness == live)
      #expect(try fixture.open("ada/Library/Containers/com.acme.shop/Data", options).liveness == live)
      #expect(try fixture.open("ada/Desktop/copy", options).liveness == nil)
      #expect(try fixture.open("ada/com.acme.shop.plist", options).liveness == nil)
    }
    #expect(try fixture.open("ada").liveness == nil)
    #expect(try fixture.open("ada", ContainerOptions(home: fixture("missing"))).liveness == nil)
  }
}

@testable import CarryoverContainers

@Suite("Several containers at a path") struct SearchTests {
  private let fixture = TemporaryFolder()
  private let opener = ContainerOpener(fileSystem: POSIXFileSystem())
  @Test func `Containers are found four folders deep and no deeper, and none inside another`() throws {
    try fixture.makePackage("in/a/b/c/d.xcappdata")
    try fixture.makePackage("in/a/b/c/d/e.xcappdata")
    try fixture.makeDataContainer("in/top/Documents/inner")
    try fixture.makeDataContainer("in/top")
    #expect(fixture.held("in") == ["a/b/c/d.xcappdata", "top"])
  }

  @Test func `The folder that an interrupted extraction has left is no container`() throws {
    try fixture.makePackage("out/shop.xcappdata")
    try fixture.makePackage("out/.carryover-extract-1.tmp")
    try fixture.makePackage("out/.carryover-extract-2.tmp/shop.xcappdata")
    #expect(fixture.held("out") == ["shop.xcappdata"])
    var walk = ContainerWalk(POSIXFileSystem(), at: fixture("out"))
    let found = [walk.next(), walk.next()]
    #expect(found == ["shop.xcappdata", nil])
  }

  @Test func `Folders too deep to be searched and old backups in a folder are named`() throws {
    try fixture.makePackage("deep/a/b/c/d/e.xcappdata")
    #expect(fixture.refusal("deep") == .noContainerWithin(folders: 4))
    try fixture.write("sent/old/Manifest.mbdb", [UInt8]("mbdb".utf8))
    try fixture.makePackage("sent/shop.xcappdata")
    try fixture.makeFolder("sent/1/2/3/4/5")
    let listing = try opener.containers(at: fixture("sent"))
    #expect(listing.candidates.map(\.path) == ["shop.xcappdata"])
    #expect(listing.notices.count == 2)
    for words in ["sent/old", "more than 4 deep"] {
      #expect(listing.notices.contains { $0.contains(words) }, "\(words)")
    }
  }

  @Test func `Archives in a folder are listed without being opened, and opened by their paths`() throws {
    for name in ["b.zip", "a/c.TAR.GZ", "._d.zip", "in.app/e.zip"] {
      try fixture.write("sent/\(name)", [UInt8]("PK".utf8))
    }
    try fixture.link("sent/link.zip", to: "b.zip")
    #expect(fixture.held("sent") == ["a/c.TAR.GZ", "b.zip", "in.app/e.zip"])
    try fixture.makePackage("sent/shop.xcappdata")
    try Packer.pack(fixture("sent/good.zip"), "zip(content.items())")
    let listing = try opener.containers(at: fixture("sent"))
    #expect(listing.candidates.map(\.form) == ["archive", "archive", "archive", "archive", "xcappdata"])
    #expect(listing.notices.isEmpty && listing.wrapper == nil)
    func opened(_ path: String) throws(ContainerError) -> Container {
      try opener.open(fixture("sent"), options: ContainerOptions(selection: .path(path)))
    }
    #expect(try opened("good.zip").wrapper == ContainerWrapper(.archive, path: fixture("sent/good.zip")))
    #expect(throws: ContainerError.self) { try opened("b.zip") }
    #expect(throws: ContainerError.self) { try opened("link.zip") }
  }

  @Test func `The archive or backup that contains a path is found without opening it`() throws {
    try fixture.write("sent/a.zip", [UInt8]("PK".utf8))
    try fixture.write("backup/Manifest.db", [UInt8]("SQLite".utf8))
    try fixture.makePackage("sent/shop.xcappdata")
    let files = GuardedFileSystem()
    func wrapper(_ path: String) -> ContainerWrapper? {
      ContainerOpener(fileSystem: files).wrapper(above: fixture(path))
    }
    #expect(wrapper("sent/a.zip/case/shop.xcappdata") == ContainerWrapper(.archive, path: fixture("sent/a.zip")))
    #expect(wrapper("backup/com.acme.shop") == ContainerWrapper(.backup, path: fixture("backup")))
    for path in ["sent/a.zip", "sent/shop.xcappdata", "sent/none", "none/at/all", "backup"] {
      #expect(wrapper(path) == nil, "\(path)")
    }
    #expect(files.read.isEmpty)
  }

  @Test func `A folder with ten thousand archives lists a thousand, and counts the others`() throws {
    for number in 0..<10_000 { try fixture.write("in/\(number).zip", []) }
    let listing = try opener.containers(at: fixture("in"))
    #expect(listing.candidates.count == 1_000 && listing.more == 9_000)
  }

  @Test func `What is searched has bounds: beyond them it is counted, and said`() throws {
    for number in 0..<8 { try fixture.makeFolder("in/\(number)/Library") }
    let few = ContainerOptions(limits: ContainerLimits(search: SearchLimits(candidates: 3)))
    guard case .holdsContainers(let candidates, let more)? = fixture.refusal("in", few) else {
      return #expect(Bool(false), "not seen as a folder of containers")
    }
    #expect(candidates.map(\.path) == ["0", "1", "2"])
    #expect(more == 5)
    let short = ContainerOptions(limits: ContainerLimits(search: SearchLimits(folders: 4)))
    let listing = try opener.containers(at: fixture("in"), options: short)
    #expect(listing.candidates.count == 3)
    #expect(listing.notices.count == 1)
  }

  @Test func `Apple's containers come last`() throws {
    let ids = ["a": "com.apple.notes", "b": "group.com.apple.notes", "c": "com.applebaum.app", "d": "com.acme.shop"]
    for (name, id) in ids {
      try fixture.write(
        "in/\(name)/.com.apple.mobile_container_manager.metadata.plist", plist: ["MCMMetadataIdentifier": id])
    }
    #expect(try opener.containers(at: fixture("in")).candidates.map(\.path) == ["c", "d", "a", "b"])
  }

  @Test func `Links are not followed in a search, and what macOS leaves in archives is passed over`() throws {
    try fixture.makePackage("elsewhere/a.xcappdata")
    try fixture.makePackage("in/__MACOSX/a.xcappdata")
    try fixture.link("in/link", to: fixture("elsewhere"))
    #expect(fixture.refusal("in") == .notContainer)
  }

  @Test func `The containers of simulated devices are found, deep as they lie, by the app they state`() throws {
    let device = "11111111-2222-3333-4444-555555555555"
    let app = "in/Devices/\(device)/data/Containers/Data/Application/\(device)"
    let group = "in/Devices/\(device)/data/Containers/Shared/AppGroup/\(device)"
    try fixture.makeDataContainer(app)
    try fixture.write(
      app + "/.com.apple.mobile_container_manager.metadata.plist", plist: ["MCMMetadataIdentifier": "com.acme.shop"])
    try fixture.write(
      group + "/.com.apple.mobile_container_manager.metadata.plist",
      plist: ["MCMMetadataIdentifier": "group.com.acme"])
    try fixture.write("in/Devices/\(device)/data/Library/Preferences/.GlobalPreferences.plist", plist: [:])
    for path in ["in", "in/Devices", "in/Devices/\(device)", "in/Devices/\(device)/data"] {
      let candidates = try opener.containers(at: fixture(path)).candidates
      #expect(candidates.map(\.bundleID) == ["com.acme.shop", "group.com.acme"], "\(path)")
      #expect(candidates.map { fixture(path) + "/" + $0.path } == [fixture(app), fixture(group)], "\(path)")
    }
  }

  @Test func `A choice that means none or several is refused with what there is`() throws {
    try fixture.makePackage("in/a.xcappdata")
    try fixture.makePackage("in/b.xcappdata")
    try fixture.link("in/link.xcappdata", to: "a.xcappdata")
    let paths = { (kind: ContainerError.Kind?) -> [String]? in
      switch kind {
      case .noSuchApp("com.acme.none", let candidates)?, .severalApps("com.acme.shop", let candidates)?:
        candidates.map(\.path)
      default: nil
      }
    }
    #expect(
      paths(fixture.refusal("in", ContainerOptions(selection: .app("com.acme.none")))) == [
        "a.xcappdata", "b.xcappdata",
      ])
    #expect(
      paths(fixture.refusal("in", ContainerOptions(selection: .app("com.acme.shop")))) == [
        "a.xcappdata", "b.xcappdata",
      ])
    #expect(paths(fixture.refusal("in/a.xcappdata", ContainerOptions(selection: .app("com.acme.none")))) == [""])
    for path in ["", "/", "..", "a.xcappdata/../b.xcappdata", "/etc", "a\0"] {
      #expect(fixture.refusal("in", ContainerOptions(selection: .path(path))) == .invalidSelection, "\(path)")
    }
    #expect(fixture.refusal("in", ContainerOptions(selection: .path("none"))) == .notFound)
    #expect(fixture.refusal("in", ContainerOptions(selection: .path("link.xcappdata"))) == .symbolicLink)
    #expect(fixture.refusal("in", ContainerOptions(selection: .path("link.xcappdata/AppData"))) == .notFound)
  }

  @Test func `A container lists itself, with what its package says of it`() throws {
    try fixture.makePackage("a.xcappdata")
    try fixture.makeFolder("a.xcappdata/AppData/AppGroups/group.com.acme")
    let listing = try opener.containers(at: fixture("a.xcappdata"))
    #expect(
      listing.candidates == [
        ContainerCandidate(
          path: "", kind: .xcappdata, bundleID: "com.acme.shop", name: "a.xcappdata", groups: ["group.com.acme"])
      ])
    #expect(listing.wrapper == nil)
    #expect(throws: ContainerError(fixture("none"), .notFound)) { try opener.containers(at: fixture("none")) }
  }

  @Test func `Whoever watches can end the search and the reading`() throws {
    try fixture.makePackage("in/a.xcappdata")
    let impatient = ContainerOpener(fileSystem: POSIXFileSystem(), observer: OpeningObserver { _ in false })
    #expect(throws: ContainerError(fixture("in"), .cancelled)) { try impatient.open(fixture("in")) }
    #expect(throws: ContainerError(fixture("in/a.xcappdata"), .cancelled)) {
      try impatient.open(fixture("in/a.xcappdata"))
    }
  }
}

@Suite("App groups and JSON") struct GroupTests {
  private let fixture = TemporaryFolder()

  @Test(arguments: ["", "AppData/"])
  func `The stores of app groups beside Library are the container's, by the group's name`(data: String) throws {
    if data.isEmpty { try fixture.makeDataContainer("x") } else { try fixture.makePackage("x") }
    let group = "x/\(data)AppGroups/group.com.acme"
    try fixture.write(group + "/Library/Preferences/group.com.acme.plist", plist: ["rl_anonymous_id": "b"])
    try fixture.write(group + "/state.json", "{}".utf8)
    try fixture.write(group + "/Library/Application Support/sdk/queue.json", "[1]".utf8)
    try fixture.write("x/\(data)Shared/AppGroup/1/Library/shared.plist", plist: [:])
    let container = try fixture.open("x")
    let paths = container.stores.map(\.path).filter { $0.contains("Group") }
    #expect(
      paths == [
        "\(data)AppGroups/group.com.acme/Library/Application Support/sdk/queue.json",
        "\(data)AppGroups/group.com.acme/Library/Preferences/group.com.acme.plist",
        "\(data)AppGroups/group.com.acme/state.json", "\(data)Shared/AppGroup/1/Library/shared.plist",
      ])
    #expect(container.bundleID == "com.acme.shop")
    #expect(container.notices.isEmpty)
  }

  @Test func `A group that is a link, or has one for a folder, is not followed and is noted`() throws {
    try fixture.makeDataContainer("x")
    try fixture.write("y/Library/Preferences/a.plist", plist: [:])
    try fixture.link("x/AppGroups/linked", to: fixture("y"))
    try fixture.link("x/AppGroups/group/Library", to: fixture("y/Library"))
    let container = try fixture.open("x")
    #expect(container.stores.allSatisfy { !$0.path.contains("AppGroups") })
    #expect(container.hasOneNotice("AppGroups/group/Library"))
  }

  @Test func `An app group's folder by itself is a container`() throws {
    try fixture.write(
      "g/.com.apple.mobile_container_manager.metadata.plist", plist: ["MCMMetadataIdentifier": "group.com.acme"])
    try fixture.write("g/Library/Preferences/group.com.acme.plist", plist: ["a": 1])
    let container = try fixture.open("g")
    #expect(container.kind == .folder)
    #expect(container.bundleID == "group.com.acme")
    #expect(container.stores.count == 1)
  }

  @Test func `JSON under Application Support is a store; what is wrong in it is said, with the place`() throws {
    try fixture.makeDataContainer("x")
    let support = "x/Library/Application Support/"
    try fixture.write(support + "a.json", "{\"a\": [1, 2]}".utf8)
    try fixture.write(support + "sdk/B.JSON", "true".utf8)
    try fixture.write(support + "bad.json", "{\"a\": \n ]".utf8)
    try fixture.write(support + "big.json", Array(repeating: UInt8(ascii: " "), count: 600))
    try fixture.write(support + "deep/er/c.json", "{}".utf8)
    try fixture.write(support + "._a.json", "{}".utf8)
    try fixture.write(support + "text", "{}".utf8)
    try fixture.link(support + "link.json", to: "a.json")
    let container = try fixture.open("x", ContainerOptions(limits: ContainerLimits(fileBytes: 512)))
    let names = container.stores.filter { $0.path.contains("Support") }.map(\.name)
    #expect(names == ["a.json", "bad.json", "big.json", "c.json", "link.json", "B.JSON", "text"])
    guard case .json(let text)? = container.store("Library/Application Support/a.json")?.content else {
      return #expect(Bool(false), "not read as JSON")
    }
    #expect(text.text == "{\"a\": [1, 2]}")
    #expect(container.store("Library/Application Support/sdk/B.JSON")?.isJSON == true)
    #expect(container.reason("Library/Application Support/bad.json")?.contains("line 2") == true)
    #expect(container.reason("Library/Application Support/big.json")?.contains("larger than 512 bytes") == true)
    #expect(container.reason("Library/Application Support/link.json")?.contains("symbolic link") == true)
  }

  @Test(arguments: ["", "AppData/"])
  func `A file that recipes only name is a sign, whatever its content is, and is not read`(data: String) throws {
    if data.isEmpty { try fixture.makeDataContainer("x") } else { try fixture.makePackage("x") }
    for name in ["a_queue.db", "b_queue.db/x", "other.db"] {
      try fixture.write("x/\(data)Library/Application Support/acme/\(name)", "x".utf8)
    }
    var options = ContainerOptions()
    options.files = [StoreFile(["Library/Application Support/acme/", .parameter("shop"), "_queue.db"], isSign: true)]
    let container = try fixture.open("x", options)
    let folder = "\(data)Library/Application Support/acme/"
    #expect(container.signs == [folder + "a_queue.db", folder + "b_queue.db"])
    #expect(!container.stores.contains { $0.path.contains("queue") } && container.notices.isEmpty)
  }

  @Test func `Neither groups nor JSON change the plan, which rests on the app's own stores`() throws {
    try fixture.makePackage("x")
    let moment = Moment(secondsSince1970: 1_763_640_300)
    let options = PlannerOptions(writeKey: "key")
    let before = Planner(.rudderStackObjC).plan(try fixture.open("x"), now: moment, options: options)
    try fixture.write("x/AppData/AppGroups/g/Library/Preferences/com.acme.shop.plist", plist: ["rl_anonymous_id": "b"])
    try fixture.write("x/AppData/AppGroups/g/Library/Preferences/broken.plist", "bplist00".utf8)
    try fixture.write("x/AppData/Library/Application Support/bad.json", "{".utf8)
    let after = Planner(.rudderStackObjC).plan(try fixture.open("x"), now: moment, options: options)
    #expect(after.fields == before.fields)
    #expect(after.containerFindings == before.containerFindings)
  }
}

@Suite("Files that are no container") struct ForeignFileTests {
  let fixture = TemporaryFolder()

  private func listingRefusal(_ relative: String) -> ContainerError.Kind? {
    let opener = ContainerOpener(fileSystem: POSIXFileSystem())
    return thrown { () throws(ContainerError) in try opener.containers(at: fixture(relative)) }?.kind
  }

  @Test func `Listing refuses what opening refuses, for the same reason`() throws {
    try fixture.write("random", (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 13) })
    try fixture.write("empty", [])
    try fixture.write("cut.plist", Array("bplist00".utf8))
    for name in ["random", "empty", "cut.plist"] {
      let refusal = fixture.refusal(name)
      #expect(refusal != nil)
      #expect(listingRefusal(name) == refusal, "\(name)")
    }
  }

  @Test func `An app is not its data, though it has property lists`() throws {
    try Packer.pack(fixture("shop.ipa"), #"zip([("Payload/Shop.app/Info.plist", plist(CFBundleIdentifier="a.b"))])"#)
    #expect(fixture.refusal("shop.ipa") == .notContainer)
  }

  @Test func `A zip file with something before it is said to be one, by opening and by listing`() throws {
    try Packer.pack(fixture("a.zip"), "zip(content.items())")
    let zip = try Data(contentsOf: URL(filePath: fixture("a.zip")))
    try fixture.write("b.zip", Array("#!/bin/sh\n".utf8) + zip)
    #expect(fixture.refusal("b.zip") == .precededArchive)
    #expect(listingRefusal("b.zip") == .precededArchive)
    try fixture.write("c.zip", Array("#!/bin/sh\n".utf8) + zip + [UInt8](repeating: 0, count: 70_000))
    #expect(fixture.refusal("c.zip") != .precededArchive)
    #expect(fixture.refusal("c.zip") != nil)
  }
}

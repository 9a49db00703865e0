import Carryover
import CarryoverContainers
import CarryoverSystem
import Foundation
import Testing

@Suite("Several containers at a path")
struct SearchTests {
  private let fixture: Fixture
  private let opener = ContainerOpener(fileSystem: POSIXFileSystem())

  init() throws { fixture = try Fixture() }

  @Test("Containers are found four folders deep and no deeper, and none inside another")
  func depth() throws {
    try fixture.makePackage("in/a/b/c/d.xcappdata")
    try fixture.makePackage("in/a/b/c/d/e.xcappdata")
    try fixture.makeDataContainer("in/top/Documents/inner")
    try fixture.makeDataContainer("in/top")
    #expect(fixture.held("in") == ["a/b/c/d.xcappdata", "top"])
  }

  @Test("Folders too deep to be searched, archives and old backups in a folder are said, not passed over in silence")
  func notSearched() throws {
    try fixture.makePackage("deep/a/b/c/d/e.xcappdata")
    #expect(fixture.refusal("deep") == .noContainerWithin(folders: 4))
    for name in ["b.zip", "a/c.TAR.GZ", "._d.zip"] { try fixture.write("sent/\(name)", [UInt8]("PK".utf8)) }
    #expect(fixture.refusal("sent") == .holdsArchives(["a/c.TAR.GZ", "b.zip"]))
    try fixture.write("sent/old/Manifest.mbdb", [UInt8]("mbdb".utf8))
    try fixture.makePackage("sent/shop.xcappdata")
    try fixture.makeFolder("sent/1/2/3/4/5")
    let listing = try opener.containers(at: fixture("sent"))
    #expect(listing.candidates.map(\.path) == ["shop.xcappdata"])
    #expect(listing.notices.count == 3)
    for words in ["sent/old", "more than 4 deep", "“a/c.TAR.GZ”, “b.zip”"] {
      #expect(listing.notices.contains { $0.contains(words) }, "\(words)")
    }
  }

  @Test("What is searched has bounds: beyond them it is counted, and said")
  func bounds() throws {
    for number in 0..<8 { try fixture.makeFolder("in/\(number)/Library") }
    let few = ContainerOptions(limits: ContainerLimits(search: SearchLimits(candidates: 3)))
    guard case .holdsContainers(let candidates, let more)? = fixture.refusal("in", few) else {
      Issue.record("not seen as a folder of containers")
      return
    }
    #expect(candidates.map(\.path) == ["0", "1", "2"])
    #expect(more == 5)
    let short = ContainerOptions(limits: ContainerLimits(search: SearchLimits(folders: 4)))
    let listing = try opener.containers(at: fixture("in"), options: short)
    #expect(listing.candidates.count == 3)
    #expect(listing.notices.count == 1)
  }

  @Test("Apple's containers come last")
  func systemLast() throws {
    let ids = ["a": "com.apple.notes", "b": "group.com.apple.notes", "c": "com.applebaum.app", "d": "com.acme.shop"]
    for (name, id) in ids {
      try fixture.write(
        "in/\(name)/.com.apple.mobile_container_manager.metadata.plist", plist: ["MCMMetadataIdentifier": id])
    }
    let listing = try opener.containers(at: fixture("in"))
    #expect(listing.candidates.map(\.path) == ["c", "d", "a", "b"])
  }

  @Test("Links are not followed in a search, and what macOS leaves in archives is passed over")
  func passedOver() throws {
    try fixture.makePackage("elsewhere/a.xcappdata")
    try fixture.makePackage("in/__MACOSX/a.xcappdata")
    try fixture.link("in/link", to: fixture("elsewhere"))
    #expect(fixture.refusal("in") == .notContainer)
  }

  @Test("The containers of simulated devices are found, deep as they lie, by the app they state")
  func simulator() throws {
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

  @Test("A container is chosen by its path below the one that is opened, or by its app")
  func choosing() throws {
    try fixture.makePackage("in/a.xcappdata")
    try fixture.makePackage("in/deep/b.xcappdata", bundleID: "com.acme.other")
    let byPath = try fixture.open("in", ContainerOptions(selection: .path("./deep//b.xcappdata/")))
    #expect(byPath.root == fixture("in/deep/b.xcappdata"))
    #expect(byPath.name == "b.xcappdata")
    let byApp = try fixture.open("in", ContainerOptions(selection: .app("com.acme.shop")))
    #expect(byApp.root == fixture("in/a.xcappdata"))
    #expect(byApp.bundleIDOrigin == .appDataInfo)
    #expect(try fixture.open("in/a.xcappdata", ContainerOptions(selection: .app("com.acme.shop"))).root == byApp.root)
  }

  @Test("A choice that means none or several is refused with what there is")
  func refusedChoices() throws {
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

  @Test("A container lists itself, with what its package says of it")
  func itself() throws {
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

  @Test("Whoever watches can end the search and the reading")
  func cancelling() throws {
    try fixture.makePackage("in/a.xcappdata")
    let impatient = ContainerOpener(fileSystem: POSIXFileSystem(), observer: OpeningObserver { _ in false })
    #expect(throws: ContainerError(fixture("in"), .cancelled)) { try impatient.open(fixture("in")) }
    #expect(throws: ContainerError(fixture("in/a.xcappdata"), .cancelled)) {
      try impatient.open(fixture("in/a.xcappdata"))
    }
  }
}

import Carryover
import CarryoverContainers
import CarryoverSystem
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

@Suite("A property list that came by itself")
struct BareFileTests {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  @Test("Its folder is the root, and paths are relative to it")
  func root() throws {
    try fixture.write("in/com.acme.shop.plist", plist: ["rl_anonymous_id": "a"])
    let container = try fixture.open("in/com.acme.shop.plist")
    #expect(container.kind == .propertyList)
    #expect(container.root == fixture("in"))
    #expect(container.dataFolder.isEmpty)
    #expect(container.stateDirectory == fixture("in/.carryover"))
    #expect(container.bundleID == "com.acme.shop")
    #expect(container.bundleIDOrigin == .singleCandidate)
    #expect(container.stores.map(\.path) == ["com.acme.shop.plist"])
    #expect(container.path(ofSuite: .analytics, ["write-key": "key"]) == "com.acme.shop.analytics.key.plist")
  }

  @Test("Files of the same app beside it are stores; others are not even read")
  func companions() throws {
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

  @Test("A name that says nothing leaves the bundle identifier open, and the option closes it")
  func noName() throws {
    try fixture.write("in/rsDefaultsPersistence.plist", plist: ["rl_anonymous_id": "a"], format: .xml)
    try fixture.write("in/com.acme.shop.plist", plist: [:])
    #expect(try fixture.open("in/rsDefaultsPersistence.plist").bundleID == nil)
    let container = try fixture.open(
      "in/rsDefaultsPersistence.plist", ContainerOptions(bundleID: "com.acme.shop"))
    #expect(container.bundleIDOrigin == .option)
    #expect(container.stores.map(\.path) == ["com.acme.shop.plist", "rsDefaultsPersistence.plist"])
    try fixture.write("in/settings.bin", plist: ["a": 1])
    #expect(try fixture.open("in/settings.bin").bundleID == nil)
  }

  @Test("A suite by itself names its app and its write key")
  func suite() throws {
    try fixture.write("com.acme.shop.analytics.1xKey.plist", plist: ["anonymous_id": "a"])
    let container = try fixture.open("com.acme.shop.analytics.1xKey.plist")
    #expect(container.bundleID == "com.acme.shop")
    #expect(container.bundleIDOrigin == .suite)
    #expect(container.writeKeys == ["1xKey"])
  }

  @Test("A name that can be a suite's and an app's is told by the legacy SDK's keys in it")
  func ambiguousName() throws {
    try fixture.write("com.acme.analytics.app.plist", plist: ["rl_anonymous_id": "a"])
    let container = try fixture.open("com.acme.analytics.app.plist")
    #expect(container.bundleID == "com.acme.analytics.app")
    #expect(container.bundleIDOrigin == .singleCandidate)
    try fixture.write("a.analytics.b.analytics.c.plist", plist: [:])
    #expect(try fixture.open("a.analytics.b.analytics.c.plist").bundleID == nil)
  }

  @Test("A companion that cannot be read, or is a link, is a store with its reason")
  func unreadableCompanion() throws {
    try fixture.write("com.acme.shop.plist", plist: [:])
    try fixture.write("rsDefaultsPersistence.plist", [])
    try fixture.link("com.acme.shop.analytics.k.plist", to: "com.acme.shop.plist")
    let container = try fixture.open("com.acme.shop.plist")
    #expect(container.reason("rsDefaultsPersistence.plist")?.contains("empty") == true)
    #expect(container.reason("com.acme.shop.analytics.k.plist")?.contains("symbolic link") == true)
    #expect(container.store("com.acme.shop.plist")?.dictionary?.isEmpty == true)
  }

  @Test("A file in a folder that cannot be listed is opened without companions")
  func unlistableFolder() throws {
    try fixture.write("in/com.acme.shop.plist", plist: [:])
    let container = try ContainerOpener(fileSystem: GuardedFileSystem(denying: [fixture("in")]))
      .open(fixture("in/com.acme.shop.plist"))
    #expect(container.stores.map(\.path) == ["com.acme.shop.plist"])
  }
}

@testable import CarryoverContainers

@Suite("Whose container it is") struct BundleIDTests {
  let fixture = TemporaryFolder()
  private let metadata = ".com.apple.mobile_container_manager.metadata.plist"

  private func preferences(_ names: [String: [String: Any]]) throws {
    for (name, plist) in names { try fixture.write("x/Library/Preferences/" + name, plist: plist) }
  }

  @Test func `The option comes first, then AppDataInfo, the metadata, the suite, the single candidate`() throws {
    try fixture.makePackage("p", bundleID: "from.info")
    try fixture.write("p/AppData/" + metadata, plist: ["MCMMetadataIdentifier": "from.metadata"])
    let preferences = "p/AppData/Library/Preferences/"
    try fixture.write(preferences + "from.suite.plist", plist: [:])
    try fixture.write(preferences + "from.suite.analytics.key.plist", plist: [:])

    func answer(_ option: String? = nil) throws -> (String?, BundleIDOrigin?) {
      let container = try fixture.open("p", ContainerOptions(bundleID: option))
      return (container.bundleID, container.bundleIDOrigin)
    }
    #expect(try answer("from.option") == ("from.option", .option))
    #expect(try answer() == ("from.info", .appDataInfo))
    try fixture.write("p/AppDataInfo.plist", plist: ["CFBundleShortVersionString": "1"])
    #expect(try answer() == ("from.metadata", .containerMetadata))
    try FileManager.default.removeItem(atPath: fixture("p/AppData/" + metadata))
    #expect(try answer() == ("from.suite", .suite))
    try FileManager.default.removeItem(atPath: fixture(preferences + "from.suite.analytics.key.plist"))
    #expect(try answer() == ("com.acme.shop", .singleCandidate))
  }

  @Test func `Metadata beside AppData is read too`() throws {
    try fixture.makePackage("p", bundleID: nil)
    try fixture.write("p/" + metadata, plist: ["MCMMetadataIdentifier": "com.acme.outer"])
    let container = try fixture.open("p")
    #expect(container.owner == ("com.acme.outer", .containerMetadata))
  }

  @Test(arguments: [
    "../../etc", "a/b", "", ".", "..", "a..b", ".a", "a.", "com.acme.\u{1B}[2J", "com.acme.é", "a b", "a\nb",
    String(repeating: "a", count: 156),
  ])
  func `A stated bundle identifier that cannot be one is passed over, and said`(bundleID: String) throws {
    try fixture.makePackage("p", bundleID: bundleID)
    let container = try fixture.open("p")
    #expect(container.owner == ("com.acme.shop", .singleCandidate))
    #expect(container.notices.count == 1)
    let notice = try #require(container.notices.first)
    #expect(notice.contains("AppDataInfo.plist") && notice.contains("bundle identifier, which cannot be one"))
    #expect(notice.contains("“com.acme.shop” is used instead, from the name of the only preferences file"))
    #expect(container.notices.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } })
    #expect(!Container.isValidBundleID(bundleID))
  }

  @Test func `Every refused statement is said, with what is used instead or that nothing is`() throws {
    try fixture.makePackage("p", bundleID: "a/b")
    try fixture.write("p/AppData/" + metadata, plist: ["MCMMetadataIdentifier": "c d"])
    var notices = try fixture.open("p").notices
    #expect(notices.count == 2)
    #expect(notices.first?.contains("“a/b”") == true && notices.last?.contains("“c d”") == true)
    #expect(notices.allSatisfy { $0.contains("“com.acme.shop” is used instead") })
    try fixture.write("p/AppData/" + metadata, plist: ["MCMMetadataIdentifier": "com.acme.meta"])
    notices = try fixture.open("p").notices
    #expect(notices.count == 1)
    #expect(notices.first?.contains("“com.acme.meta” is used instead, from the container's metadata") == true)
    try fixture.write("p/AppData/" + metadata, plist: [:])
    try FileManager.default.removeItem(atPath: fixture("p/AppData/Library/Preferences/com.acme.shop.plist"))
    let container = try fixture.open("p")
    #expect(container.bundleID == nil)
    #expect(container.hasOneNotice("nothing else in the container has one"))
  }

  @Test func `A damaged, linked or wrongly typed AppDataInfo.plist says nothing; the next source is asked`() throws {
    try fixture.makePackage("p")
    try fixture.write("p/AppDataInfo.plist", "bplist00".utf8)
    var container = try fixture.open("p")
    #expect(container.bundleIDOrigin == .singleCandidate)
    #expect(container.notices.count == 1)
    try fixture.write("p/AppDataInfo.plist", plist: ["CFBundleIdentifier": 42])
    container = try fixture.open("p")
    #expect(container.bundleIDOrigin == .singleCandidate)
    #expect(container.hasOneNotice("a bundle identifier that is not text"))
    try FileManager.default.removeItem(atPath: fixture("p/AppDataInfo.plist"))
    try fixture.write("info.plist", plist: ["CFBundleIdentifier": "com.acme.other"])
    try fixture.link("p/AppDataInfo.plist", to: fixture("info.plist"))
    container = try fixture.open("p")
    #expect(container.bundleID == "com.acme.shop")
    #expect(container.notices.first?.contains("symbolic link") == true)
  }

  @Test func `A bundle identifier with “.analytics.” in it is found by the preferences file it has`() throws {
    try preferences(["com.acme.analytics.app.plist": [:], "com.acme.analytics.app.analytics.key.plist": [:]])
    let container = try fixture.open("x")
    #expect(container.owner == ("com.acme.analytics.app", .suite))
    #expect(container.writeKeys == ["key"])
  }

  @Test func `Two apps with suites are not guessed between`() throws {
    try preferences([
      "a.b.plist": ["rl_anonymous_id": "x"], "a.b.analytics.k.plist": [:], "c.d.plist": [:],
      "c.d.analytics.k.plist": [:],
    ])
    #expect(try fixture.open("x").bundleID == nil)
  }

  @Test func `A suite without its preferences file names nobody`() throws {
    try preferences(["a.b.analytics.k.plist": [:]])
    #expect(try fixture.open("x").bundleID == nil)
  }

  @Test func `The only preferences file with the legacy SDK's keys is the app's, whatever lies beside it`() throws {
    try preferences([
      "com.acme.shop.plist": ["rl_anonymous_id": "x"], "com.acme.other.plist": [:], "com.google.gmp.plist": ["a": 1],
    ])
    let container = try fixture.open("x")
    #expect(container.owner == ("com.acme.shop", .singleCandidate))
    try preferences(["com.acme.third.plist": ["rl_traits": "{}"]])
    #expect(try fixture.open("x").bundleID == nil)
  }

  @Test func `The only preferences file that is neither the system's nor a known SDK's is the app's`() throws {
    try preferences([
      "com.acme.shop.plist": ["a": 1], "com.apple.Emoji.plist": [:], "com.google.gmp.measurement.plist": [:],
      "group.com.acme.plist": [:], "SomeSDK.plist": [:], "com.segment.storage.key.plist": [:],
      "com.firebase.FIRInstallations.plist": [:],
    ])
    #expect(try fixture.open("x").bundleID == "com.acme.shop")
    try preferences(["com.acme.widget.plist": [:]])
    #expect(try fixture.open("x").bundleID == nil)
  }

  @Test func `An app of a vendor is not taken for the vendor's SDK: SDKs are known by whole names`() throws {
    try preferences(["com.microsoft.Outlook.plist": ["a": 1], "com.google.gmp.measurement.plist": [:]])
    #expect(try fixture.open("x").bundleID == "com.microsoft.Outlook")
    try preferences(["com.google.gmp.other.plist": [:]])
    #expect(try fixture.open("x").bundleID == nil, "not guessed between")
  }

  @Test func `A suite in a folder below the preferences names nobody`() throws {
    try preferences(["com.acme.shop.plist": [:], "com.acme.shop/com.acme.other.plist": [:]])
    #expect(try fixture.open("x").bundleID == "com.acme.shop")
  }

  @Test func `The system's snapshots and saved state name the app, unless they name several`() throws {
    try preferences(["com.acme.shop.plist": [:], "com.acme.other.plist": [:]])
    try fixture.makeFolder("x/Library/SplashBoard/Snapshots/com.acme.shop - {DEFAULT GROUP}")
    try fixture.makeFolder("x/Library/SplashBoard/Snapshots/sceneID:com.acme.shop-default")
    var container = try fixture.open("x")
    #expect(container.bundleID == "com.acme.shop" && container.bundleIDOrigin == .savedState)
    try fixture.makeFolder("in/x")
    try FileManager.default.moveItem(atPath: fixture("x"), toPath: fixture("in/x/y"))
    let listing = try ContainerOpener(fileSystem: POSIXFileSystem()).containers(at: fixture("in"))
    #expect(listing.candidates.map(\.bundleID) == ["com.acme.shop"])

    try FileManager.default.moveItem(atPath: fixture("in/x/y"), toPath: fixture("x"))
    try fixture.makeFolder("x/Library/Saved Application State/com.acme.shop.savedState")
    #expect(try fixture.open("x").bundleID == "com.acme.shop")
    try fixture.makeFolder("x/Library/Saved Application State/com.acme.other.savedState")
    #expect(try fixture.open("x").bundleID == nil)
    try FileManager.default.removeItem(atPath: fixture("x/Library/Saved Application State"))
    try FileManager.default.removeItem(atPath: fixture("x/Library/SplashBoard"))
    try fixture.makeFolder("x/Library/SplashBoard/Snapshots/a b - {DEFAULT GROUP}")
    try fixture.makeFolder("elsewhere/com.acme.linked.savedState")
    try fixture.link("x/Library/Saved Application State", to: fixture("elsewhere"))
    container = try fixture.open("x")
    #expect(container.bundleID == nil && container.notices.isEmpty, "no link is followed")
  }
}

@Suite("Names with parameters in them") struct NameTemplateTests {
  private func container(_ kind: ContainerKind, _ dataFolder: String, _ paths: [String] = [], bundleID: String? = nil)
    -> Container
  {
    Container(
      kind: kind, root: "/r", dataFolder: dataFolder, bundleID: bundleID,
      stores: paths.map { Store(path: $0, content: .unreadable("")) }, stateDirectory: "/r/.carryover")
  }

  private func target(_ container: Container, _ writeKey: String) -> String? {
    RecipeTarget.suite(.analytics).path(in: container, ["write-key": writeKey])
  }

  @Test func `The target is in the preferences folder of the container, or beside a bare file`() {
    let path = "Library/Preferences/com.acme.shop.analytics.1xKey.plist"
    #expect(target(container(.folder, "", bundleID: "com.acme.shop"), "1xKey") == path)
    #expect(target(container(.xcappdata, "AppData", bundleID: "com.acme.shop"), "1xKey") == "AppData/" + path)
    #expect(target(container(.propertyList, "", bundleID: "a.b"), "k") == "a.b.analytics.k.plist")
    #expect(RecipeTarget.suite(.analytics).path(in: container(.folder, "", bundleID: "a.b"), [:]) == nil)
    #expect(target(container(.folder, ""), "k") == nil)
  }

  @Test(arguments: [
    "", "/", "../x", "a/b", "a\\b", ".", "..", "a..b", "k\0", "k\n", "k ", "é", ".k", "k.",
    String(repeating: "k", count: 156),
  ])
  func `A value that is not valid in a file's name makes no path`(text: String) {
    #expect(!Container.isValidBundleID(text))
    #expect(!Container.isValidParameter(text))
    #expect(target(container(.folder, "", bundleID: "a.b"), text) == nil)
    #expect(target(container(.folder, "", bundleID: text), "k") == nil)
  }

  @Test func `The longest values still fit into a file's name`() throws {
    let bundleID = String(repeating: "b", count: 155)
    let writeKey = String(repeating: "k", count: 64)
    let values = ["bundle-id": bundleID, "write-key": writeKey]
    let name = try #require(NameTemplate.analytics.name(values)) + ".plist"
    #expect(name.utf8.count <= 255)
    #expect(NameTemplate.analytics.readings(ofFileName: name) == [values])
    #expect(!Container.isValidBundleID(bundleID + "b"))
    #expect(!Container.isValidParameter(writeKey + "k"))
  }

  @Test func `Write keys are those of the app's suites in the preferences folder, sorted`() {
    let folder = "AppData/Library/Preferences/"
    let names = [
      "a.b.plist", "a.b.analytics.k2.plist", "a.b.analytics.k1.plist", "a.b.c.analytics.k3.plist",
      "a.b.analytics..plist",
      "a.b.analytics.k 4.plist", "a.b.analytics.k5.json",
    ]
    let paths = names.map { folder + $0 } + ["AppData/Library/Caches/a.b.analytics.k6.plist"]
    #expect(container(.xcappdata, "AppData", paths, bundleID: "a.b").writeKeys == ["k1", "k2"])
    #expect(container(.xcappdata, "AppData", paths, bundleID: "a.b.c").writeKeys == ["k3"])
    #expect(container(.xcappdata, "AppData", paths).writeKeys == [])
    #expect(container(.xcappdata, "AppData", [], bundleID: "a.b").writeKeys == [])
  }

  @Test func `A name is read in every way that its template allows`() {
    let name = "a.analytics.b.analytics.c.plist"
    #expect(
      NameTemplate.analytics.readings(ofFileName: name)
        == [["bundle-id": "a", "write-key": "b.analytics.c"], ["bundle-id": "a.analytics.b", "write-key": "c"]])
    let long = String(repeating: ".analytics.", count: 10_000) + ".plist"
    #expect(NameTemplate.analytics.readings(ofFileName: long).isEmpty)
    #expect(NameTemplate.analytics.readings(ofFileName: ".plist").isEmpty)
  }

  @Test func `the name of a file follows the last slash, also before a combining mark`() {
    let path: NameTemplate = ["Library/", .parameter("token"), "/a/\u{301}b-", .parameter("token")]
    #expect(path.fileName == ["\u{301}b-", .parameter("token")])
  }

  @Test func `A parameter that is in a name twice has one value`() {
    let name: NameTemplate = [.parameter("token"), "-", .parameter("token"), ".db"]
    #expect(name.name(["token": "ab"]) == "ab-ab.db")
    #expect(name.readings(of: "ab-ab.db") == [["token": "ab"]])
    #expect(name.readings(of: "ab-cd.db").isEmpty)
    #expect(name.parameters == ["token"])
    #expect(name.words == "<token>-<token>.db")
  }

  /// A suite beside a bare property list is only found by the app's name and the write key.
  @Test func `no suite that a recipe writes is named by another parameter than the write key`() {
    for recipe in Recipe.builtIn {
      guard case .suite(let target) = recipe.target else { continue }
      #expect(target.parameters.isEmpty || target.parameters == [RecipeParameter.writeKey.name])
      #expect(target == .analytics || target == .app || !target.parts.contains(.bundleID))
      for source in recipe.sources { #expect(!source.places.contains { $0.contains("<write key>") }) }
    }
  }
}

@Suite("Paths as text") struct PathTextTests {
  @Test(arguments: [
    ("/", "/", "/"), ("/a", "/", "a"), ("a", ".", "a"), ("/a/b", "/a", "b"), ("a/b", "a", "b"),
    ("Documents/é and more", "Documents", "é and more"), ("/ünï/日本語", "/ünï", "日本語"), ("é", ".", "é"),
    // A mark that combines with the slash before it.
    ("a/\u{301}b", "a", "\u{301}b"), ("/a/\u{301}", "/a", "\u{301}"), ("e\u{301}/b", "e\u{301}", "b"),
  ])
  func `The folder and the last component of any path`(path: String, parent: String, name: String) {
    #expect(Array(PathText.parent(path).utf8) == Array(parent.utf8))
    #expect(Array(FilePath.name(of: path).utf8) == Array(name.utf8))
  }

  @Test func `A slash is a slash before any character`() {
    #expect(PathText.cleaned("/\u{301}a/./b//", workingDirectory: "/w") == "/\u{301}a/b")
    #expect(PathText.cleaned("a", workingDirectory: "/w/") == "/w/a")
    #expect(PathText.join("a/", "\u{301}b") == "a/\u{301}b")
  }
}

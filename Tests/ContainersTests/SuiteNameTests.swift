import Carryover
import CarryoverSystem
import Testing

@Suite("Names of analytics suites")
struct SuiteNameTests {
  private func container(_ kind: ContainerKind, _ dataFolder: String, _ paths: [String] = [], bundleID: String? = nil)
    -> Container
  {
    Container(
      kind: kind, root: "/r", dataFolder: dataFolder, bundleID: bundleID,
      stores: paths.map { Store(path: $0, content: .unreadable("")) }, stateDirectory: "/r/.carryover")
  }

  @Test("The target lies in the preferences folder of the container, or beside a bare file")
  func target() {
    let path = "Library/Preferences/com.acme.shop.analytics.1xKey.plist"
    #expect(container(.folder, "").targetPath(bundleID: "com.acme.shop", writeKey: "1xKey") == path)
    #expect(
      container(.xcappdata, "AppData").targetPath(bundleID: "com.acme.shop", writeKey: "1xKey") == "AppData/" + path)
    #expect(container(.propertyList, "").targetPath(bundleID: "a.b", writeKey: "k") == "a.b.analytics.k.plist")
  }

  @Test(
    "No path is made of what cannot be a part of a file's name",
    arguments: [
      "", "/", "../x", "a/b", "a\\b", ".", "..", "a..b", "k\0", "k\n", "k ", "é", ".k", "k.",
      String(repeating: "k", count: 156),
    ])
  func hostile(text: String) {
    #expect(!Container.isValidBundleID(text))
    #expect(!Container.isValidWriteKey(text))
    #expect(container(.folder, "").targetPath(bundleID: "a.b", writeKey: text) == nil)
    #expect(container(.folder, "").targetPath(bundleID: text, writeKey: "k") == nil)
  }

  @Test("The longest parts still make a name a file system takes")
  func longest() throws {
    let bundleID = String(repeating: "b", count: 155)
    let writeKey = String(repeating: "k", count: 64)
    let suite = try #require(SuiteName(bundleID: bundleID, writeKey: writeKey))
    #expect(suite.fileName.utf8.count <= 255)
    #expect(SuiteName.readings(ofFileName: suite.fileName) == [suite])
    #expect(!Container.isValidBundleID(bundleID + "b"))
    #expect(!Container.isValidWriteKey(writeKey + "k"))
  }

  @Test("Write keys are those of the app's suites in the preferences folder, sorted")
  func writeKeys() {
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

  @Test("A name is read as every suite it can be")
  func readings() {
    let name = "a.analytics.b.analytics.c.plist"
    #expect(
      SuiteName.readings(ofFileName: name)
        == [
          SuiteName(bundleID: "a", writeKey: "b.analytics.c"), SuiteName(bundleID: "a.analytics.b", writeKey: "c"),
        ].compactMap { $0 })
    #expect(SuiteName.readings(ofFileName: String(repeating: ".analytics.", count: 10_000) + ".plist").isEmpty)
    #expect(SuiteName.readings(ofFileName: ".plist").isEmpty)
  }
}

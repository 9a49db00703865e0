import Carryover
import CarryoverSystem
import CarryoverVendors
import Testing

@Suite("Names with parameters in them")
struct NameTemplateTests {
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

  @Test("The target is in the preferences folder of the container, or beside a bare file")
  func target() {
    let path = "Library/Preferences/com.acme.shop.analytics.1xKey.plist"
    #expect(target(container(.folder, "", bundleID: "com.acme.shop"), "1xKey") == path)
    #expect(target(container(.xcappdata, "AppData", bundleID: "com.acme.shop"), "1xKey") == "AppData/" + path)
    #expect(target(container(.propertyList, "", bundleID: "a.b"), "k") == "a.b.analytics.k.plist")
    #expect(RecipeTarget.suite(.analytics).path(in: container(.folder, "", bundleID: "a.b"), [:]) == nil)
    #expect(target(container(.folder, ""), "k") == nil)
  }

  @Test(
    "A value that is not valid in a file's name makes no path",
    arguments: [
      "", "/", "../x", "a/b", "a\\b", ".", "..", "a..b", "k\0", "k\n", "k ", "é", ".k", "k.",
      String(repeating: "k", count: 156),
    ])
  func hostile(text: String) {
    #expect(!Container.isValidBundleID(text))
    #expect(!Container.isValidParameter(text))
    #expect(target(container(.folder, "", bundleID: "a.b"), text) == nil)
    #expect(target(container(.folder, "", bundleID: text), "k") == nil)
  }

  @Test("The longest values still fit into a file's name")
  func longest() throws {
    let bundleID = String(repeating: "b", count: 155)
    let writeKey = String(repeating: "k", count: 64)
    let values = ["bundle-id": bundleID, "write-key": writeKey]
    let name = try #require(NameTemplate.analytics.name(values)) + ".plist"
    #expect(name.utf8.count <= 255)
    #expect(NameTemplate.analytics.readings(ofFileName: name) == [values])
    #expect(!Container.isValidBundleID(bundleID + "b"))
    #expect(!Container.isValidParameter(writeKey + "k"))
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

  @Test("A name is read in every way that its template allows")
  func readings() {
    let name = "a.analytics.b.analytics.c.plist"
    #expect(
      NameTemplate.analytics.readings(ofFileName: name)
        == [
          ["bundle-id": "a", "write-key": "b.analytics.c"], ["bundle-id": "a.analytics.b", "write-key": "c"],
        ])
    let long = String(repeating: ".analytics.", count: 10_000) + ".plist"
    #expect(NameTemplate.analytics.readings(ofFileName: long).isEmpty)
    #expect(NameTemplate.analytics.readings(ofFileName: ".plist").isEmpty)
  }

  @Test("A parameter that is in a name twice has one value")
  func twice() {
    let name: NameTemplate = [.parameter("token"), "-", .parameter("token"), ".db"]
    #expect(name.name(["token": "ab"]) == "ab-ab.db")
    #expect(name.readings(of: "ab-ab.db") == [["token": "ab"]])
    #expect(name.readings(of: "ab-cd.db").isEmpty)
    #expect(name.parameters == ["token"])
    #expect(name.words == "<token>-<token>.db")
  }

  /// A suite beside a bare property list is only found by the app's name and the write key.
  @Test("no suite that a recipe writes is named by another parameter than the write key")
  func builtIn() {
    for recipe in Recipe.builtIn {
      guard case .suite(let target) = recipe.target else { continue }
      #expect(target.parameters.isEmpty || target.parameters == [PlannerOptions.writeKeyParameter])
      #expect(target == .analytics || target == .app || !target.parts.contains(.bundleID))
      for source in recipe.sources { #expect(!source.places.contains { $0.contains("<write key>") }) }
    }
  }
}

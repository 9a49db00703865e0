import Carryover
import CarryoverSystem
import PropertyLists
import Testing

@Suite("Where a recipe reads and writes")
struct RecipePlacesTests {
  private static let old: NameTemplate = ["Library/acme-", .parameter("token"), "-properties.plist"]
  private static let new: NameTemplate = ["Library/Application Support/acme/", .parameter("token"), ".plist"]

  private func recipe(target: RecipeTarget) -> Recipe {
    Recipe(
      reference: RecipeReference(id: "acme", version: 1, title: "Acme 1 → 2"), target: target,
      sources: [.suite(["Acme"]), .plist([Self.old])],
      rules: [
        FieldRule(
          target: "id", group: .identity, form: .string, candidates: [Candidate(SourceKey("distinctId"), [.exactText])])
      ],
      leftBehind: [], legacyPrefixes: [], marks: ["distinctId"])
  }

  private func box(_ stores: [(String, PropertyListDictionary)]) throws -> (MemoryFileSystem, Container) {
    let files = MemoryFileSystem(user: 501)
    var found: [Store] = []
    for (path, dictionary) in stores {
      let bytes = try PropertyListDocument.encode(.dictionary(dictionary), as: .binary)
      files.put("/box/" + path, bytes, mode: 0o600)
      found.append(Store(path: path, content: .document(try PropertyListDocument(bytes: bytes))))
    }
    return (
      files,
      Container(
        kind: .xcappdata, root: "/box", dataFolder: "AppData", bundleID: "com.acme.shop", stores: found,
        stateDirectory: "/box/.carryover")
    )
  }

  @Test("a run reads one file with a parameter in its name and writes another, which a rollback removes")
  func files() throws {
    let (files, container) = try box([("AppData/Library/acme-t0k.en-properties.plist", ["distinctId": "u-42"])])
    let options = PlannerOptions(parameters: ["token": "t0k.en"])
    let plan = Planner(recipe(target: .plist(Self.new))).plan(container, now: LegacyApp.now, options: options)
    let target = "AppData/Library/Application Support/acme/t0k.en.plist"
    #expect(plan.target == TargetSummary(path: target, exists: false))
    #expect(plan.field("id")?.proposed == "u-42")
    let migrator = SampleBox.migrator(files)
    _ = try migrator.apply(plan, decisions: [:], in: container)
    let written = try PropertyListDocument(bytes: try #require(files.bytes("/box/" + target)))
    #expect(written.dictionary == ["id": "u-42"])
    _ = try migrator.rollback(in: container)
    #expect(files.bytes("/box/" + target) == nil)
  }

  @Test("a suite that is not the app's is read before a file")
  func suites() throws {
    let (_, container) = try box([
      ("AppData/Library/acme-t-properties.plist", ["distinctId": "of the file"]),
      ("AppData/Library/Preferences/Acme.plist", ["distinctId": "of the suite"]),
    ])
    let recipe = recipe(target: .suite([.bundleID, ".acme.", .parameter("token")]))
    let plan = Planner(recipe).plan(container, now: LegacyApp.now, options: PlannerOptions(parameters: ["token": "t"]))
    #expect(plan.target?.path == "AppData/Library/Preferences/com.acme.shop.acme.t.plist")
    #expect(plan.field("id")?.proposed == "of the suite")
  }

  @Test("without its parameter the target has no name, and a file that needs it is not read")
  func unknown() throws {
    let (_, container) = try box([("AppData/Library/acme-t-properties.plist", ["distinctId": "u-42"])])
    for parameters in [[:], ["token": "../t"], ["other": "t"]] {
      let plan = Planner(recipe(target: .plist(Self.new)))
        .plan(container, now: LegacyApp.now, options: PlannerOptions(parameters: parameters))
      #expect(plan.target == nil)
      #expect(plan.field("id")?.status == .absent)
    }
  }
}

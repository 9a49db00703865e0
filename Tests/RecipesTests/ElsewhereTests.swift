import Carryover
import CarryoverRecipes
import CarryoverSystem
import CarryoverVendors
import PropertyLists
import Testing

@Suite("Places that a recipe does not read")
struct ElsewhereTests {
  private static let text = """
    carryover: recipe/1
    id: acme-sdk
    version: 1
    title: Acme 1 → 2
    sources-read: [Acme's sources.]
    legacy-sdk: Acme's SDK
    parameters:
      token: {title: token, form: hex}
    read:
      - suite: ${bundle-id}
    write: {suite: "${bundle-id}.acme"}
    detect: ["acme-${token}-id"]
    opt-out-keys: []
    fields:
      - {key: id, group: identity, form: string, from: [{key: "acme-${token}-id"}]}
    elsewhere:
      - {file: Library/acme_*.db, because: The recipe reads no database.}
      - {file: AppGroups/*/Library/acme.id, because: The recipe reads no app group.}
      - {suite: "${bundle-id}", keys: ["acme-*-id"], because: The recipe reads keys with a token.}
    """

  private func plan(_ keys: PropertyListDictionary = [:], signs: [String] = []) throws -> (plan: Plan, recipe: Recipe) {
    let read = RecipeFile.read(Array(Self.text.utf8), vendors: vendors)
    #expect(read.issues.filter { $0.code.severity == .error } == [])
    var recipe = try #require(read.file).recipe.filled(["token": "ff"])
    recipe.origin = .file(path: "", isTrusted: true)
    let document = try PropertyListDocument(bytes: PropertyListDocument.encode(.dictionary(keys), as: .binary))
    var container = Container(
      kind: .folder, root: "/box", dataFolder: "Data", bundleID: "com.acme.shop",
      stores: [Store(path: "Data/Library/Preferences/com.acme.shop.plist", content: .document(document))],
      stateDirectory: "/box/.carryover")
    container.signs = signs
    return (Planner(recipe).plan(container, now: Moment(millisecondsSince1970: 1_763_640_000_000)), recipe)
  }

  private func names(_ plan: Plan) -> [[String]] { plan.unreadPlaces.map(\.names) }

  @Test("data in such a place is named, the verdict cannot tell, and nobody says that there is nothing to migrate")
  func alone() throws {
    for (signs, found) in [
      (
        ["Data/Library/acme_one.db", "Data/Library/acme_two.db"],
        ["Data/Library/acme_one.db", "Data/Library/acme_two.db"]
      ),
      (["Data/AppGroups/group.com.acme/Library/acme.id"], ["Data/AppGroups/group.com.acme/Library/acme.id"]),
      (["Data/Shared/AppGroup/0F1C/Library/acme.id"], ["Data/Shared/AppGroup/0F1C/Library/acme.id"]),
    ] {
      let (plan, recipe) = try plan(signs: signs)
      #expect(names(plan) == [found])
      #expect(plan.containerFindings.map(\.code) == [.sourceElsewhere])
      #expect(plan.containerFindings.allSatisfy { $0.message.contains(found[0]) })
      #expect(recipe.verdict(on: plan).certainty == .cannotTell, "\(recipe.verdict(on: plan).text)")
    }
    let (plan, recipe) = try plan()
    #expect(names(plan) == [] && plan.containerFindings.map(\.code) == [.sourceNotFound])
    #expect(plan.containerFindings[0].message.contains("a place that this recipe does not read"))
    #expect(!recipe.verdict(on: plan).text.isEmpty)
  }

  @Test("only names that fit count, and a key that the recipe reads is not elsewhere")
  func fits() throws {
    #expect(
      try names(plan(signs: ["Data/Library/acme_.db", "Data/Library/a/acme_1.db", "Library/acme_1.db"]).plan) == [])
    #expect(try names(plan(["acme-ff-id": "u-1001"]).plan) == [])
    #expect(try names(plan(["acme-ff-id": "u-1001", "acme-shop-id": "u-2002"]).plan) == [["acme-shop-id"]])
  }

  @Test("beside values that are read, the verdict is not certain")
  func beside() throws {
    let (plan, recipe) = try plan(["acme-ff-id": "u-1001"], signs: ["Data/Library/acme_1.db"])
    #expect(plan.field("id")?.status == .ready)
    let verdict = recipe.verdict(on: plan)
    #expect(
      verdict.certainty == .likely && verdict.reasonText.contains("acme_1.db is not read"), "\(verdict.reasonText)")
  }

  @Test(
    "lint refuses places without a reason, without keys, outside the container, and those that are read",
    arguments: [
      ("{file: Library/a}", "R018"), ("{suite: Acme, because: It is not read.}", "R018"),
      ("{suite: Acme, keys: [], because: It is not read.}", "R018"), ("{file: ../a, because: It is not read.}", "R105"),
      ("{file: AppGroups/group.a/Library/a, because: It is not read.}", "R105"),
      ("{file: \"Library/Preferences/${bundle-id}.plist\", because: It is not read.}", "R107"),
    ])
  func lint(_ entry: String, _ code: String) {
    let text = Self.text.replacing("{file: Library/acme_*.db, because: The recipe reads no database.}", with: entry)
    let issues = RecipeFile.read(Array(text.utf8), vendors: vendors).issues.filter { $0.code.severity == .error }
    #expect(issues.map(\.code.rawValue) == [code] && issues.map(\.place.line) == [17], "\(issues)")
  }

  @Test("the words of a recipe name each place with its reason")
  func words() throws {
    let recipe = try #require(RecipeFile.read(Array(Self.text.utf8), vendors: vendors).file).recipe
    let lines = recipe.sections.flatMap(\.lines).filter { $0.kind == .elsewhere }.map(\.text)
    #expect(
      lines == [
        "Library/acme_*.db: The recipe reads no database.",
        "AppGroups/*/Library/acme.id: The recipe reads no app group.",
        "acme-*-id in <bundle id>: The recipe reads keys with a token.",
      ])
  }
}

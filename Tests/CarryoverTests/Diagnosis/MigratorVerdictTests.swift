import Carryover
import CarryoverStorage
import CarryoverVendors
import PropertyLists
import Testing

@Suite("Verdicts on migrators")
struct MigratorVerdictTests {
  /// An app of Acme: its migrator runs at the first start of the new SDK, and moves `acme_session`.
  private func app(moves: [String] = ["acme_session"]) -> LegacyApp {
    var app = LegacyApp.with(["acme_user": "u-42", "acme_id": "a-1", "acme_session": 7])
    app.recipe = Recipe(
      reference: RecipeReference(id: "acme", version: 1, title: "Acme"),
      migrator: VendorMigrator("Acme's migrator", runs: .atFirstStart, moves: moves),
      target: Recipe.rudderStackObjC.target,
      sources: [.suite([.bundleID]), .plist([NameTemplate(["Library/rsDefaultsPersistence.plist"])])],
      rules: [
        FieldRule(
          target: "anonymous_id", group: .identity, form: .string, candidates: [Candidate(SourceKey("acme_id"))],
          isMigratedByVendor: true, loss: .newUser),
        FieldRule(
          target: "user_id", group: .identity, form: .string, candidates: [Candidate(SourceKey("acme_user"))],
          isMigratedByVendor: true, loss: .loggedOut),
      ],
      leftBehind: [LeftBehind("acme_session", because: "Acme's migrator moves it.")], marks: ["acme_user", "acme_id"])
    return app
  }

  private func verdict(_ app: LegacyApp, target: PropertyListDictionary) throws -> Verdict {
    var app = app
    app.target = target
    return app.recipe.verdict(on: try app.plan())
  }

  @Test("where what the migrator moves is still there, it has not run, and the update logged the user out")
  func notRun() throws {
    let verdict = try verdict(app(), target: ["anonymous_id": "a-1"])
    #expect(verdict.isLoggedOut && verdict.certainty == .likely, "\(verdict.text)")
  }

  @Test("where it is gone, the migrator has run, and the app has logged the user out since")
  func hasRun() throws {
    var app = app()
    app.standard?["acme_session"] = nil
    app.file?["acme_session"] = nil
    let verdict = try verdict(app, target: ["anonymous_id": "a-1"])
    #expect(verdict.certainty == .likely && verdict.losses.isEmpty, "\(verdict.text)")
    #expect(verdict.text == "Acme's migrator kept this user, and the app has logged the user out since.")
  }

  @Test("without such a key nobody can tell, and no id is listed as lost")
  func untold() throws {
    let verdict = try verdict(app(moves: []), target: ["anonymous_id": "a-2"])
    #expect(verdict.certainty == .cannotTell, "\(verdict.text)")
    #expect(verdict.losses.isEmpty, "\(verdict.losses)")
  }

  @Test("an id that the new SDK has proves nothing where the legacy store cannot be read")
  func unreadable() throws {
    var app = app()
    (app.standard, app.file) = (["acme_session": 7], nil)
    app.otherStores = [
      Store(path: "AppData/Library/rsDefaultsPersistence.plist", content: .unreadable("It is empty."))
    ]
    app.recipe.rules.removeLast()
    let verdict = try verdict(app, target: ["anonymous_id": "a-2"])
    #expect(verdict.certainty == .cannotTell, "\(verdict.text)")
  }

  @Test("an id without the one that it describes is no loss: the legacy SDK itself drops it")
  func dropped() throws {
    var app = app()
    app.standard?["acme_id"] = nil
    app.file?["acme_id"] = nil
    app.recipe.rules[1].describes = "anonymous_id"
    app.recipe.rules[1].loss = .lost("the alias")
    let verdict = try verdict(app, target: ["anonymous_id": "a-2"])
    #expect(verdict.losses.isEmpty, "\(verdict.text)")
  }

  @Test("an empty id in the new SDK's file means that it has not started: its migrator fills the id")
  func emptyID() throws {
    let verdict = try verdict(app(), target: ["anonymous_id": "", "user_id": ""])
    #expect(verdict.situation == .begun && !verdict.isLoggedOut, "\(verdict.text)")
  }
}

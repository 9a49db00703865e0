import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import CarryoverVendors
import Foundation
import Testing

// What the articles show, compiled and run. A region between `snippet:` and `end snippet` is a block of an article.

private func restoreAtLaunch() -> PersistenceReport {
  // snippet: restore
  let report = PersistentMigrator(writeKey: "1xAcmeWriteKey").restorePersistence()
  print(report)
  // end snippet
  return report
}

private func handle(_ report: PersistenceReport) -> String? {
  // snippet: handle-report
  switch report.status {
  case .done, .doneBefore, .nothingFound: return nil
  case .blocked: return "ask first: \(report.findings.map(\.code.rawValue))"
  case .failed(let error): return error.description
  }
  // end snippet
}

private func restoreSome(_ migrator: PersistentMigrator) -> PersistenceReport {
  // snippet: restore-some
  migrator.restorePersistence([.anonymousID, .userID, .traits], onConflict: .replaceFreshIdentity)
  // end snippet
}

private func look(_ migrator: PersistentMigrator) throws -> (String?, [FindingCode]) {
  // snippet: look-first
  let values = try migrator.readPersistence()
  print(values.userID ?? "nobody was identified", values.findings.map(\.message))
  // end snippet
  return (values.userID, values.findings.map(\.code))
}

private func migrator(_ legacy: UserDefaultsDomain, writeKey: String, library: URL) throws -> PersistentMigrator {
  // snippet: places
  let places = LegacyPersistence(
    standard: legacy,  // such as try UserDefaultsDomain(suite: "group.com.acme.shop")
    target: try UserDefaultsDomain(suite: "com.acme.shop.analytics.\(writeKey)"),
    library: library, bundleIdentifier: "com.acme.shop")
  let migrator = PersistentMigrator(writeKey: writeKey, places: places, now: { Date() })
  // end snippet
  return migrator
}

@Suite("The articles about restoring what a legacy SDK left")
struct EmbeddingSnippetTests {
  @Test("at launch, in a program that has nothing to restore")
  func launch() {
    #expect(restoreAtLaunch().outcomes.isEmpty && restoreEveryone().outcomes.isEmpty)
    // snippet: drop-in
    PersistentMigratorFromV1(writeKey: "1xAcmeWriteKey").restorePersistence()
    // end snippet
  }

  @Test("places of one's own: look first, restore some, handle the report")
  func places() throws {
    let number = UUID().uuidString
    let legacy = "com.acme.snippets.\(number)"
    let defaults = try #require(UserDefaults(suiteName: legacy))
    defer {
      TestSuite.remove(legacy)
      TestSuite.remove("com.acme.shop.analytics.\(number)")
    }
    defaults.set(#"{"userId":42,"email":"jo@acme.example"}"#, forKey: "rl_traits")
    let migrator = try migrator(
      UserDefaultsDomain(defaults, label: legacy), writeKey: number,
      library: FileManager.default.temporaryDirectory.appending(path: number))
    let (user, codes) = try look(migrator)
    #expect(user == "42" && codes.map(\.rawValue).contains("identity.user-id-not-string"))
    let report = restoreSome(migrator)
    #expect(report.fields(.migrated) == [.userID, .traits] && handle(report) == nil)
    #expect(handle(PersistentMigrator(writeKey: "", bundleIdentifier: "x").restorePersistence()) != nil)
    let target = try #require(UserDefaults(suiteName: "com.acme.shop.analytics.\(number)"))
    #expect(target.string(forKey: "user_id") == "42")
  }
}

import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

@Suite("The drop-in migrators on real UserDefaults")
struct DropInTests {
  /// Two suites of their own: what stands for the app's own defaults, and the new SDK's.
  private final class Suites {
    private let names = ["com.acme.own.\(UUID().uuidString)", "com.acme.shop.analytics.\(UUID().uuidString)"]
    let own: UserDefaultsDomain
    let target: UserDefaultsDomain
    let library = FileManager.default.temporaryDirectory.appending(path: "carryover-none-\(UUID().uuidString)/Library")

    init(_ values: [String: PropertyListValue]) throws {
      own = try UserDefaultsDomain(suite: names[0])
      target = try UserDefaultsDomain(suite: names[1])
      for (key, value) in values { try own.set(value, for: key) }
      try own.synchronize()
    }

    deinit {
      for name in names { TestSuite.remove(name) }
    }

    var places: LegacyPersistence {
      LegacyPersistence(standard: own, target: target, library: library, bundleIdentifier: "com.acme.shop")
    }
    var restored: [String: PropertyListValue] {
      get throws {
        var values: [String: PropertyListValue] = [:]
        for field in PersistedField.allCases { values[field.rawValue] = try target.value(for: field.rawValue) }
        return values
      }
    }
  }

  private static let both: [String: PropertyListValue]? = try? LegacyValues.beta().merging(LegacyValues.objC) { $1 }

  @Test("the guide's own call does the same, once, and leaves all that the legacy SDKs keep as it is (A19)")
  func guidesCall() throws {
    let values = try #require(Self.both)
    let suites = try Suites(values)
    let migrator = PersistentMigratorFromV1(
      writeKey: "1xAcmeWriteKey", places: suites.places, now: PersistenceApp.now)
    let read = try #require(migrator.readPersistence())
    #expect(read.fields.count == 8 && read.userID == "u-42" && read.appBuild == 420)
    let report = migrator.restorePersistence()
    #expect(report.status == .done && report.fields(.migrated).count == 8)
    #expect(try suites.restored == LegacyValues.restored)
    for (key, value) in values { #expect(try suites.own.value(for: key) == value, "\(key)") }
    #expect(migrator.readPersistence() == nil && migrator.restorePersistence().status == .doneBefore)
  }

  @Test(
    "the same for the beta SDK 2, with its traits as an archive and as a property list (A19, A20)",
    arguments: [true, false])
  func betaCall(archived: Bool) throws {
    let values = try LegacyValues.beta(archived: archived)
    let suites = try Suites(values)
    let none = PersistentMigratorFromV1(writeKey: "1xAcmeWriteKey", places: suites.places, now: PersistenceApp.now)
    #expect(none.readPersistence() == nil && none.restorePersistence().status == .nothingFound)
    let migrator = PersistentMigratorFromV2(
      writeKey: "1xAcmeWriteKey", places: suites.places, now: PersistenceApp.now)
    let read = try #require(migrator.readPersistence())
    #expect(read.userID == "u-7" && read.traits == #"{"email":"ada@example.com"}"# && read.isManualSession == true)
    #expect(migrator.restorePersistence().status == .done)
    #expect(try suites.restored == LegacyValues.betaRestored)
    for (key, value) in values { #expect(try suites.own.value(for: key) == value, "\(key)") }
    #expect(migrator.readPersistence() == nil && migrator.restorePersistence().status == .doneBefore)
  }

  @Test("in a program that has nothing to restore, the calls find nothing in its own defaults (A19)")
  func nothing() {
    let (key, bundle) = ("1xAcmeWriteKey", "com.acme.\(UUID().uuidString)")
    let objC = PersistentMigratorFromV1(writeKey: key, bundleIdentifier: bundle)
    #expect(objC.readPersistence() == nil && objC.restorePersistence().status == .nothingFound)
    let beta = PersistentMigratorFromV2(writeKey: key, bundleIdentifier: bundle)
    #expect(beta.readPersistence() == nil && beta.restorePersistence().status == .nothingFound)
    guard Bundle.main.bundleIdentifier == nil else { return }
    #expect(PersistentMigratorFromV1(writeKey: key).restorePersistence().status == .failed(.noBundleIdentifier))
  }
}

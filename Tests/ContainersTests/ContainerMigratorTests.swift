import Carryover
import CarryoverContainers
import CarryoverSystem
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

@Suite("The migrator of containers for tools")
struct ContainerMigratorTests {
  private let folder: URL
  private let migrator: ContainerMigrator

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "container-migrator-\(UUID().uuidString)")
    let library = folder.appending(path: "App/Library/Preferences")
    try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
    let legacy: [String: Any] = [
      "rl_anonymous_id": "0f5a1c2e-7a0e-4e8e-9a57-3d6b1f2a9c11",
      "rl_traits": #"{"userId":42,"email":"jo@acme.example"}"#,
    ]
    try PropertyListSerialization.data(fromPropertyList: legacy, format: .binary, options: 0)
      .write(to: library.appending(path: "com.acme.shop.plist"))
    migrator = ContainerMigrator(
      toolVersion: "1.0", keyFile: folder.appending(path: "state/key").path,
      now: { Moment(secondsSince1970: 1_763_640_300) })
  }

  private func opened() throws -> Container {
    try ContainerOpener().open(
      folder.appending(path: "App").path, options: ContainerOptions(bundleID: "com.acme.shop"))
  }

  private func plan() throws -> Plan {
    try migrator.plan(opened(), with: .rudderStackObjC, options: PlannerOptions(writeKey: "KEY"))
  }

  private func target() throws -> [String: Any]? {
    let path = folder.appending(path: "App/Library/Preferences/com.acme.shop.analytics.KEY.plist")
    guard FileManager.default.fileExists(atPath: path.path) else { return nil }
    return try PropertyListSerialization.propertyList(from: Data(contentsOf: path), format: nil) as? [String: Any]
  }

  @Test("a flagged field stops an apply; decided, it is written, is settled for the next plan, and is rolled back")
  func wholeWay() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try plan()
    let refusal = try #require(throws: MigrationError.self) { try migrator.apply(first, to: opened()) }
    #expect(refusal.code == .decisionsNeeded && refusal.aftermath == nil)
    #expect(refusal.description.contains("user_id"))
    #expect(try target() == nil && migrator.runs(of: opened()).isEmpty)

    let report = try migrator.apply(first, decisions: ["user_id": .skip], to: opened())
    #expect(report.files == ["Library/Preferences/com.acme.shop.analytics.KEY.plist"])
    let written = try #require(try target())
    #expect(written["anonymous_id"] as? String == "0f5a1c2e-7a0e-4e8e-9a57-3d6b1f2a9c11" && written["user_id"] == nil)
    #expect(try migrator.runs(of: opened()).map(\.id) == [report.runID])

    // Skipping it was a decision, so the next plan asks nothing and an apply of it writes nothing.
    let second = try plan()
    #expect(second.undecided([:]).isEmpty)
    #expect(try migrator.apply(second, to: opened()).runID == nil)
    #expect(try migrator.recover(opened()).isEmpty)

    try migrator.rollback(opened())
    #expect(try target() == nil)
  }

  @Test("errors say by their code what can be done")
  func codes() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try #require(throws: MigrationError.self) { try migrator.rollback(opened()) }.code == .failed)
    let stale = try plan()
    let preferences = folder.appending(path: "App/Library/Preferences/com.acme.shop.plist")
    try PropertyListSerialization.data(fromPropertyList: ["rl_anonymous_id": "other"], format: .binary, options: 0)
      .write(to: preferences)
    let refusal = try #require(throws: MigrationError.self) {
      try migrator.apply(stale, decisions: ["user_id": .migrate], to: opened())
    }
    #expect(refusal.code == .stalePlan && refusal.aftermath == nil)

    let state = folder.appending(path: "App/.carryover")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    let files = POSIXFileSystem()
    let lock = try files.lock(state.appending(path: "lock").path, mode: 0o600)
    let busy = try #require(throws: MigrationError.self) {
      try migrator.apply(plan(), decisions: ["anonymous_id": .migrate], to: opened())
    }
    try files.close(lock)
    #expect(busy.code == .busy && busy.aftermath == nil)
  }
}

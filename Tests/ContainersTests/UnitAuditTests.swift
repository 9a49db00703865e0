import Carryover
import CarryoverSystem
import Foundation
import Testing

@testable import CarryoverCommand

@Suite("The audit of an input")
struct UnitAuditTests {
  private func audited(_ path: String, _ fileSystem: any FileSystem) -> [AuditedContainer] {
    let unit = UnitAudit(
      fileSystem: fileSystem, recipe: nil, parameters: [:], writeKey: nil, now: Moment(millisecondsSince1970: 0),
      allowed: [], policy: DecisionPolicy())
    var found: [AuditedContainer] = []
    unit.audit(path) { found.append($0) }
    return found
  }

  @Test("a container that a program writes to has the outcome changed, and no plan")
  func changed() throws {
    let fixture = try Fixture()
    try fixture.makePackage()
    let store = fixture("Shop.xcappdata/AppData/Library/Preferences/com.acme.shop.plist")
    let quiet = try #require(audited(fixture("Shop.xcappdata"), GuardedFileSystem()).first)
    #expect(quiet.outcome == .audited && quiet.id != nil)

    let files = GuardedFileSystem { path in
      guard path == store else { return }
      let values = ["rl_anonymous_id": "another"]
      try? PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
        .write(to: URL(filePath: store))
    }
    let container = try #require(audited(fixture("Shop.xcappdata"), files).first)
    #expect(container.outcome == .changed && container.plan == nil && container.id == nil)
  }

  @Test("a backup's list is read once for all its apps")
  func backup() throws {
    let backup = try BackupFixture()
    let apps = ["com.acme.app", "com.acme.other", "com.acme.shop"]
    try backup.make(
      apps.flatMap { app -> [BackupFixture.Row] in
        [.init("AppDomain-\(app)", "", flags: 2), .init("AppDomain-\(app)", "Library", flags: 2)]
      })
    let files = GuardedFileSystem()
    let found = audited(backup.root, files)
    #expect(found.map(\.inner) == apps)
    #expect(found.allSatisfy { $0.outcome.hasPlan })
    #expect(files.read.count { $0.hasSuffix("/Manifest.db") } == 1)
  }
}

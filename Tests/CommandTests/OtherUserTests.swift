import Carryover
import Foundation
import PropertyLists
import Testing

@Suite("A target that has another user")
struct OtherUserTests {
  private struct Written: Equatable {
    var user: PropertyListValue?
    var hasTraits: Bool
  }

  @Test("A saved plan that keeps that user takes the traits along where its applying replaces the user")
  func savedPlan() throws {
    let example = try Example.of(.targetOtherUser)
    let folder = try TemporaryFolder()
    let (container, saved) = (folder.path("AcmeShop.xcappdata"), folder.path("plan.json"))
    try FileManager.default.copyItem(atPath: example.path, toPath: container)
    #expect(
      try Tool.carryover(["plan", container, "-o", saved, "--keep", "user_id"] + example.options).status == 0)
    let dry = try Tool.carryover("apply", saved, "--yes", "--rehearse")
    #expect(dry.status == 0 && dry.output.contains("skipped"), "\(dry.output)")
    #expect(try Tool.carryover("apply", saved, "--yes", "--replace", "user_id").status == 0)
    #expect(try written(container) == Written(user: "u-1001", hasTraits: true))
  }

  @Test("Once that user was kept, nothing is lost, and the verdict does not say that the user id was migrated")
  func verdict() throws {
    let example = try Example.of(.targetOtherUser)
    let folder = try TemporaryFolder()
    let container = folder.path("AcmeShop.xcappdata")
    try FileManager.default.copyItem(atPath: example.path, toPath: container)
    #expect(try Tool.carryover(["apply", container, "--yes", "--keep", "user_id"] + example.options).status == 0)
    let verdict = try Tool.carryover(["diagnose", container] + example.options).output.split(separator: "\n")
    #expect(
      verdict.first
        == "The new SDK's user is not the legacy SDK's: a migration kept the user_id of its file.")
    #expect(!verdict.contains { $0.contains("What is lost") })
  }

  @Test(
    "A user id that a run wrote is the user's own, and once it is rolled back, that is why the update would lose it")
  func edited() throws {
    let sample = try SampleCopy("AcmeShop")
    #expect(try sample.run("apply", "--set", "user_id=cust-42", "--yes").status == 0)
    func verdict() throws -> String { try sample.run("diagnose").output.prefix { $0 != "\n" }.description }
    #expect(try !verdict().contains("is not the legacy SDK's"))
    #expect(try Tool.carryover("rollback", sample.path, "--only", "user_id", "--yes").status == 0)
    #expect(try verdict().contains("log this user out: user_id was rolled back"))
  }

  /// Applies the example's migration with more options, and reads what the target then has.
  private func applied(_ options: String...) throws -> Written {
    let example = try Example.of(.targetOtherUser)
    let folder = try TemporaryFolder()
    let container = folder.path("AcmeShop.xcappdata")
    try FileManager.default.copyItem(atPath: example.path, toPath: container)
    let run = try Tool.carryover(["apply", container, "--yes"] + options + example.options)
    #expect(run.status == 0, "\(run.error)")
    return try written(container)
  }

  private func written(_ container: String) throws -> Written {
    let target = container + "/AppData/Library/Preferences/com.acme.shop.analytics.1xAcmeWriteKey.plist"
    let values = try #require(PropertyListDocument(bytes: Array(Data(contentsOf: URL(filePath: target)))).dictionary)
    return Written(user: values["user_id"], hasTraits: values["traits"] != nil)
  }

  @Test("The traits go where the legacy user goes, unless somebody decides about them")
  func traits() throws {
    #expect(try applied("--on-conflict", "keep") == Written(user: "u-3003", hasTraits: false))
    #expect(try applied("--keep", "user_id") == Written(user: "u-3003", hasTraits: false))
    #expect(try applied("--skip", "user_id", "--accept", "traits") == Written(user: "u-3003", hasTraits: true))
    #expect(try applied("--on-conflict", "replace") == Written(user: "u-1001", hasTraits: true))
    #expect(try applied("--set", "user_id=u-5") == Written(user: "u-5", hasTraits: true))
  }
}

import Foundation
import Testing

@Suite("Several containers in the command")
struct SeveralContainersTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["AcmeShop", "Clean", "NothingToMigrate"] {
      try FileManager.default.copyItem(
        at: SampleCopy.original(name), to: URL(fileURLWithPath: folder.path(name + ".xcappdata")))
    }
    try FileManager.default.copyItem(
      at: SampleCopy.original("Clean"), to: URL(fileURLWithPath: folder.path("Broken.xcappdata")))
    try folder.place("Broken.xcappdata/AppData/Library/Preferences/com.acme.shop.plist", Data("bplist00".utf8))
  }

  private var options: [String] { ["--write-key", SampleCopy.writeKey, "--now", SampleCopy.now] }

  private func review(_ lines: String...) throws -> Tool.Result {
    try Tool.run(
      Tool.carryover.path, ["review", folder.url.path, "--accessible"] + options,
      input: lines.map { $0 + "\n" }.joined())
  }

  @Test("by lines, every container is listed with its state, and the filter and the findings choose among them")
  func lines() throws {
    let before = try FileState.files(under: folder.url.path)
    let result = try review("filter identity.user-id-not-string", "esc", "findings", "quit")
    #expect(result.status == 0, "\(result.error)")
    for words in [
      "AcmeShop.xcappdata: 1 error, 1 undecided, 6 ready, 1 not migrated", "Clean.xcappdata: 8 ready",
      "NothingToMigrate.xcappdata: nothing to migrate", "1 of 1. com.acme.shop, xcappdata, AcmeShop.xcappdata",
      "At finding 1 of ",
    ] {
      #expect(result.output.contains(words), "\(words): \(result.output)")
    }
    #expect(!result.output.contains("not read yet"))
    #expect(try FileState.files(under: folder.url.path) == before)
  }

  @Test("a decision by finding holds in the container opened next, is written only after yes, and the list shows it")
  func policy() throws {
    let result = try review(
      "findings", "accept", "esc", "filter AcmeShop", "enter", "apply", "yes", "esc", "quit", "list")
    #expect(result.status == 0, "\(result.error)")
    for words in ["1 field decided by finding", "+ user_id             string   \"42\"", "Applied  run "] {
      #expect(result.output.contains(words), "\(words): \(result.output)")
    }
    let end = try #require(result.output.range(of: "Applied  run "))
    #expect(
      result.output[end.upperBound...].contains("AcmeShop.xcappdata: applied, 1 not migrated"), "\(result.output)")
  }
}

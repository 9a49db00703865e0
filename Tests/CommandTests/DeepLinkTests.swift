import Foundation
import Testing

@Suite("Beginning at a field or a key")
struct DeepLinkTests {
  private func run(_ arguments: [String], _ lines: String...) throws -> Tool.Result {
    try Tool.run(Tool.carryover.path, arguments + ["--accessible"], input: lines.map { $0 + "\n" }.joined())
  }

  @Test("The review begins at the field that is named; details are its")
  func field() throws {
    let sample = try SampleCopy("AcmeShop")
    let review = try run(["review"] + sample.options + ["--field", "session_id"], "details", "esc", "quit")
    #expect(review.status == 0, "\(review.error)")
    let first = review.output.split(separator: "\n").first { $0.contains(" of 8. ") }
    #expect(first?.contains("session_id") == true, "\(review.output)")
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test("A field that is not there ends it with 64 and names the nearest")
  func unknownField() throws {
    let sample = try SampleCopy("AcmeShop")
    let review = try run(["review"] + sample.options + ["--field", "sesion_id"], "quit")
    #expect(review.status == 64 && review.error.contains("Did you mean session_id?"), "\(review.error)")
  }

  @Test("The stores begin at the key that is named, below others and packed in text too")
  func key() throws {
    let sample = try SampleCopy("AcmeShop")
    let found = try Tool.carryover("inspect", sample.path, "--find", "Königsallee")
    let line = try #require(found.output.split(separator: "\n").first { $0.contains("rl_traits") })
    let path = String(try #require(line.split(separator: "  ").first))
    for key in [path, "com.acme.shop.plist:rl_traits.address.street"] {
      let browse = try run(["browse", sample.path, "--key", key], "quit")
      #expect(browse.status == 0, "\(browse.error)")
      let row = browse.output.split(separator: "\n").first { $0.contains(" of ") && $0.contains("street") }
      #expect(row != nil, "\(key): \(browse.output)")
    }
  }

  @Test("A key or store that is not there ends it with 64 and names the nearest")
  func unknownKey() throws {
    let sample = try SampleCopy("AcmeShop")
    let key = try run(["browse", sample.path, "--key", "com.acme.shop.plist:rl_trait"], "quit")
    #expect(key.status == 64 && key.error.contains("Did you mean rl_traits?"), "\(key.error)")
    let store = try run(["browse", sample.path, "--key", "com.acme.shp.plist:rl_traits"], "quit")
    #expect(store.status == 64 && store.error.contains("Did you mean com.acme.shop.plist?"), "\(store.error)")
  }
}

import Carryover
import CarryoverReview
import PropertyLists

/// The SDKs that left data in a container, and what an update of each would lose.
struct SDKsOutput {
  /// An SDK with data in the container.
  struct Found {
    /// The SDK's name, or the title of the recipe for it.
    var name: String
    /// Keys and files that only this SDK writes.
    var evidence: [String]
    /// What an update would lose, as sentences.
    var update: String
    /// The recipes for the SDK; empty if Carryover has none.
    var recipes: [String] = []
  }

  let found: [Found]
  let container: Container

  func write(to page: inout TextPage, path: String, _ masking: Masking) {
    page.add([container.bundleID ?? "unknown app", container.name].joined(separator: " · "))
    for sdk in found {
      page.blank()
      page.add(page.ink.words(sdk.name))
      page.add(sdk.evidence.map { page.ink.name($0) }.joined(separator: ", "), indent: 2, hanging: 2)
      page.add(sdk.update, indent: 2, hanging: 2)
      for recipe in sdk.recipes {
        var command = ShellCommand(["carryover", recipe == sdk.recipes.first ? "diagnose" : "plan", path])
        command.add(["--recipe", recipe])
        for line in command.lines(columns: page.paper.columns) { page.line([Span(masking.text(line))]) }
      }
    }
    let isUnread = container.stores.contains { $0.problem != nil }
    if found.isEmpty || isUnread || !container.notices.isEmpty { page.blank() }
    if found.isEmpty { page.add("No SDK that Carryover recognises has left data in the files that were read.") }
    if isUnread {
      page.add(.warning, "Some files were not read: carryover inspect says which, and why.")
    } else if !container.notices.isEmpty {
      page.add(.warning, "There are notices about the container: carryover inspect prints them.")
    }
  }

  var json: JSONValue {
    .object([
      JSONMember("schema", .string("carryover.sdks/1")),
      JSONMember("bundleID", JSONValue(container.bundleID)),
      JSONMember(
        "sdks",
        .array(
          found.map { sdk in
            .object([
              JSONMember("name", .string(sdk.name)), JSONMember("evidence", JSONValue(sdk.evidence)),
              JSONMember("update", .string(sdk.update)), JSONMember("recipes", JSONValue(sdk.recipes)),
            ])
          })),
    ])
  }
}

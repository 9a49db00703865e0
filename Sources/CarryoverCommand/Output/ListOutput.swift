import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverTerminal
import PropertyLists

/// The containers at a path, as text and as `carryover.list/1`.
enum ListOutput {
  static func json(_ listing: ContainerListing) -> JSONValue {
    let wrapper: JSONValue =
      listing.wrapper.map { ["form": .string($0.form.rawValue), "path": .string($0.path)] } ?? .null
    return .object([
      JSONMember("schema", .string("carryover.list/1")),
      JSONMember("wrapper", wrapper),
      JSONMember("containers", .array(listing.candidates.map(container))),
      JSONMember("more", JSONValue(listing.more)),
      JSONMember("notices", .array(listing.notices.map(JSONValue.string))),
    ])
  }

  static func write(_ listing: ContainerListing, to page: inout TextPage) {
    let ink = page.ink
    // A path is there to be copied into --container, so it is never cut.
    var table = Table(
      [
        Table.Column(.whole, "path", .head), Table.Column(.whole, "app", .head), Table.Column(.value, "name"),
        Table.Column(.whole, "form", .head), Table.Column(.whole, "files"), Table.Column(.whole, "missing"),
        Table.Column(.value, "groups", isOptional: true),
      ], heading: true, glyphs: ink.glyphs)
    for candidate in listing.candidates {
      table.add([
        Span(candidate.path.isEmpty ? "." : ink.name(candidate.path)),
        Span(candidate.bundleID.map { ink.name($0) } ?? "unknown"), Span(ink.name(candidate.ownName ?? "")),
        Span(candidate.kind.rawValue), Span(candidate.files.map(String.init) ?? ""),
        Span(candidate.missing == 0 ? "" : "\(candidate.missing)"),
        Span(ink.name(candidate.groups.joined(separator: ", "))),
      ])
    }
    page.add(table)
    if listing.more > 0 { page.add("and \(listing.more) more, which are not listed") }
    for notice in listing.notices { page.add(.warning, notice) }
  }

  private static func container(_ candidate: ContainerCandidate) -> JSONValue {
    .object([
      JSONMember("path", .string(candidate.path)),
      JSONMember("kind", .string(candidate.kind.rawValue)),
      JSONMember("bundleID", JSONValue(candidate.bundleID)),
      JSONMember("name", .string(candidate.name)),
      JSONMember("files", candidate.files.map { JSONValue($0) } ?? .null),
      JSONMember("missing", JSONValue(candidate.missing)),
      JSONMember("groups", JSONValue(candidate.groups)),
    ])
  }
}

import Carryover
import CarryoverContainers
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

  static func lines(_ listing: ContainerListing, columns: Int) -> [String] {
    // A path is there to be copied into --container, so nothing is cut.
    var table = Table(limits: [60, 40, 30, 13, 7, 7, 30], cuts: false)
    table.add(["path", "app", "name", "form", "files", "missing", "groups"])
    for candidate in listing.candidates {
      table.add([
        candidate.path.isEmpty ? "." : candidate.path, candidate.bundleID ?? "unknown", candidate.ownName ?? "",
        candidate.kind.rawValue, candidate.files.map(String.init) ?? "",
        candidate.missing == 0 ? "" : "\(candidate.missing)", candidate.groups.joined(separator: ", "),
      ])
    }
    let more = listing.more > 0 ? ["and \(listing.more) more, which are not listed"] : []
    return table.lines(columns: columns) + more + listing.notices.map { "! " + $0 }
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

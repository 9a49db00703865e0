package import Carryover
import PropertyLists

extension FindingCode {
  /// External ids that have no place in the new SDK.
  package static let droppedExternalIDs = FindingCode(
    "dropped.external-ids", .warning, .informs,
    Explanation(
      title: "there are external ids",
      happens: "The key rl_external_id contains external ids, such as those of another service for the same user.",
      legacyReads: "The legacy SDK stores external ids as the text of a JSON array of types and ids.",
      guideSays: "The guide says that external ids need no migration, because the new SDK does not store them.",
      helperWrites: "RudderStack's migrator silently ignores them.",
      weWrite: "Carryover prints each with its type, and writes none of them.",
      whatToDo: "Pass them with each event, in the options of the new SDK's calls."))
}

extension Observation {
  /// External ids that have no place in the new SDK.
  package static func droppedExternalIDs(_ ids: [ExternalID]) -> Observation {
    Observation(
      .droppedExternalIDs,
      """
      \(notMigrated: ids.count, "external id"): \(list: ids.map { "\(value: $0.type) \(quoted: $0.id)" }). The new \
      SDK does not store external ids.
      """,
      remedy: "Pass external ids with each event, in the options of the new SDK's calls.",
      verdict: .loss(.lost("the external ids"), "the new SDK does not store them"))
  }
}

/// An id that the legacy SDK attached to every event.
package struct ExternalID: Hashable, Sendable {
  /// Its type, such as "brazeExternalId".
  package var type: String
  /// The id.
  package var id: String

  /// An external id from its parts.
  package init(type: String, id: String) {
    self.type = type
    self.id = id
  }
}

extension ExternalID {
  /// The external ids in the legacy stores: the text of `[{"type": …, "id": …}, …]`.
  static func all(in sources: LegacySources) -> [ExternalID] {
    guard let value = sources.value("rl_external_id") ?? sources.value("rs_external_id") else { return [] }
    guard case .string(let text) = value else {
      return value.children.isEmpty ? [] : [ExternalID(type: "unreadable", id: ValueWording.shown(value))]
    }
    guard !text.isEmpty else { return [] }
    guard let parsed = try? JSONText(text), case .array(let elements) = parsed.value else {
      return [ExternalID(type: "unreadable", id: text)]
    }
    return elements.map { element in
      guard case .object(let members) = element else { return ExternalID(type: "unknown", id: element.text()) }
      func text(_ name: String) -> String {
        switch members.last(where: { $0.name == name })?.value {
        case .string(let text)?: text
        case let value?: value.text()
        case nil: "unknown"
        }
      }
      return ExternalID(type: text("type"), id: text("id"))
    }
  }
}

import Carryover
package import PropertyLists

/// The events Convert's SDK has not sent yet.
public struct ConvertQueue: Hashable, Sendable {
  /// The batches, as they stand in the file.
  package private(set) var batches: [JSONValue]

  /// No events.
  public init() { batches = [] }

  /// A queue as it stands in the file: an array of batches, each with its visitors, each of these with an id and events.
  /// - Throws: ``ConvertError/form(path:)`` where the file is not of that form.
  package init(_ value: JSONValue) throws(ConvertError) {
    guard let batches = value.elements, batches.allSatisfy(Self.isBatch) else {
      throw .form(path: ConvertNames.queue)
    }
    self.batches = batches
  }

  /// Adds the batches of another queue at the end.
  public mutating func append(_ other: ConvertQueue) { batches += other.batches }

  /// The file's value.
  package var value: JSONValue { .array(batches) }

  /// Whether there is nothing to send; the SDK then has no file.
  package var isEmpty: Bool { batches.isEmpty }

  /// How many events there are.
  package var eventCount: Int { entries.reduce(0) { $0 + ($1["events"]?.elements?.count ?? 0) } }

  /// The ids of the visitors the events are of, each once, in the order of the file.
  package var visitors: [String] {
    var seen: Set<[UInt8]> = []
    return entries.compactMap { $0["visitorId"]?.stringValue }.filter { seen.insert(Array($0.utf8)).inserted }
  }

  /// How many events are of a visitor.
  package func eventCount(of visitor: String) -> Int {
    entries.reduce(0) { count, entry in
      guard entry["visitorId"] == .string(visitor) else { return count }
      return count + (entry["events"]?.elements?.count ?? 0)
    }
  }

  private var entries: some Sequence<JSONValue> { batches.lazy.flatMap { $0["visitors"]?.elements ?? [] } }

  private static func isBatch(_ batch: JSONValue) -> Bool {
    batch["visitors"]?.elements?.allSatisfy { visitor in
      visitor["visitorId"]?.stringValue != nil && visitor["events"]?.elements != nil
    } ?? false
  }
}

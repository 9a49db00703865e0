import Carryover
package import PropertyLists

/// The unsent events of Convert's SDK.
public struct ConvertQueue: Hashable, Sendable {
  /// The batches, as in the file.
  package private(set) var batches: [JSONValue]

  /// An empty queue.
  public init() { batches = [] }

  /// The queue in a file's value: an array of batches, each with visitors, each of whom has an id and events.
  /// - Throws: ``ConvertError/form(path:)`` if the value does not have this form.
  package init(_ value: JSONValue) throws(ConvertError) {
    guard let batches = value.elements, batches.allSatisfy(Self.isBatch) else {
      throw .form(path: ConvertNames.queue)
    }
    self.batches = batches
  }

  /// Appends the batches of another queue.
  public mutating func append(_ other: ConvertQueue) { batches += other.batches }

  /// The file's value.
  package var value: JSONValue { .array(batches) }

  /// Whether there are no batches. The SDK then has no file.
  package var isEmpty: Bool { batches.isEmpty }

  /// The number of events.
  package var eventCount: Int { entries.reduce(0) { $0 + ($1["events"]?.elements?.count ?? 0) } }

  /// The ids of the events' visitors without duplicates, in the order of the file.
  package var visitors: [String] {
    var seen: Set<[UInt8]> = []
    return entries.compactMap { $0["visitorId"]?.stringValue }.filter { seen.insert(Array($0.utf8)).inserted }
  }

  /// The number of a visitor's events.
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

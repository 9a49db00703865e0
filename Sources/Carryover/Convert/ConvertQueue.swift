public import PropertyLists

/// The events Convert's SDK has not sent yet.
public struct ConvertQueue: Hashable, Sendable {
  /// The batches, as they stand in the file.
  public let batches: [JSONValue]

  /// A queue as it stands in the file: an array of batches.
  /// - Throws: ``ConvertError`` where the file is not of that form.
  public init(_ value: JSONValue) throws(ConvertError) {
    guard let batches = value.elements, batches.allSatisfy({ $0["visitors"]?.elements != nil }) else {
      throw .form(ConvertNames.queue)
    }
    self.batches = batches
  }

  /// How many events there are.
  public var eventCount: Int {
    batches.flatMap { $0["visitors"]?.elements ?? [] }.reduce(0) { $0 + ($1["events"]?.elements?.count ?? 0) }
  }

  /// The ids of the visitors the events are of, each once, in the order of the file.
  public var visitors: [String] {
    var seen: Set<String> = []
    return batches.flatMap { $0["visitors"]?.elements ?? [] }.compactMap { $0["visitorId"]?.stringValue }
      .filter { seen.insert($0).inserted }
  }
}

/// Why a file of Convert's SDK could not be read as what it should be.
public enum ConvertError: Error, Hashable, Sendable {
  /// It is JSON, and not of the form the SDK writes.
  case form(String)
}

extension ConvertError: CustomStringConvertible {
  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .form(let name): "\(name) is not of the form Convert's SDK writes; keep it aside for a look."
    }
  }
}

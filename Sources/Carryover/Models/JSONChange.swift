public import PropertyLists

/// A difference between two JSON values, at the outermost place where they differ.
public struct JSONChange: Hashable, Sendable {
  /// Where; empty where the values themselves differ in type or are no objects.
  public var path: [String]
  /// What was there; nil where there was nothing.
  public var before: JSONValue?
  /// What is there now; nil where there is nothing.
  public var after: JSONValue?

  /// A difference from its parts.
  public init(path: [String], before: JSONValue?, after: JSONValue?) {
    self.path = path
    self.before = before
    self.after = after
  }

  /// Every difference between two values: members that went, changed or came, in the order of the first value and then of
  /// the second. The order of members makes no difference; elements of arrays are not taken apart.
  public static func between(_ before: JSONValue, _ after: JSONValue) -> [JSONChange] {
    var changes: [JSONChange] = []
    var pending: [(path: [String], before: JSONValue?, after: JSONValue?)] = [([], before, after)]
    while let (path, before, after) = pending.popLast() {
      guard case .object(let old) = before, case .object(let new) = after else {
        if before != after { changes.append(JSONChange(path: path, before: before, after: after)) }
        continue
      }
      var next: [(path: [String], before: JSONValue?, after: JSONValue?)] = []
      let newByName = Dictionary(new.map { (Name($0.name), $0.value) }, uniquingKeysWith: { first, _ in first })
      let oldByName = Dictionary(old.map { (Name($0.name), $0.value) }, uniquingKeysWith: { first, _ in first })
      for member in old { next.append((path + [member.name], member.value, newByName[Name(member.name)])) }
      for member in new where oldByName[Name(member.name)] == nil {
        next.append((path + [member.name], nil, member.value))
      }
      // Reversed, because the last one is taken first.
      pending += next.reversed()
    }
    return changes
  }

  /// Names are the same only byte for byte.
  private struct Name: Hashable {
    let bytes: [UInt8]
    init(_ text: String) { bytes = Array(text.utf8) }
  }
}

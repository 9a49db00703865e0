import PropertyLists

/// How the top-level members of one JSON object compare with those of another, by name.
struct MemberComparison {
  enum Standing: Hashable {
    /// The other one has it with the same value.
    case same
    /// The other one has it with another value.
    case different
    /// The other one has it not.
    case onlyHere
  }

  /// The names of the members that only the other one has, decoded, in its order.
  let missing: [String]
  private var standings: [String: Standing] = [:]

  /// Compares two texts; nil where either is no JSON object. What is only written differently is the same.
  init?(_ text: String, with other: String) {
    guard let here = Self.members(text), let there = Self.members(other) else { return nil }
    let (mine, theirs) = (Self.values(here), Self.values(there))
    missing = Self.unique(there.map(\.name)).filter { mine[$0] == nil }
    // The outline names members as they are written; both have them in the order of the text.
    guard let written = JSONOutline.memberNames(text), written.count == here.count else { return nil }
    for (name, member) in zip(written, here) {
      standings[name] =
        theirs[member.name].map { $0 == mine[member.name] ? .same : .different } ?? .onlyHere
    }
  }

  /// How the member with a name, as it is written in the text, compares.
  subscript(written: String) -> Standing { standings[written] ?? .same }

  /// How many members stand so; duplicates count once.
  func count(_ standing: Standing) -> Int { standings.values.count { $0 == standing } }

  /// Whether nothing differs.
  var isSame: Bool { missing.isEmpty && standings.values.allSatisfy { $0 == .same } }

  private static func members(_ text: String) -> [JSONText.Member]? {
    guard text.utf8.count <= ShownText.limit, let json = try? JSONText(text), case .object = json.value else {
      return nil
    }
    return json.members
  }

  /// The values of each name as text, one after the other where a name occurs more than once.
  private static func values(_ members: [JSONText.Member]) -> [String: [String]] {
    var values: [String: [String]] = [:]
    for member in members { values[member.name, default: []].append(member.value.text()) }
    return values
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}

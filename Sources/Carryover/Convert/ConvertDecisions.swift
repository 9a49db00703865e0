public import PropertyLists

/// The decisions Convert's SDK has taken for visitors: which variation each was given, which goals were counted, which
/// segments they are in. Members that are not known stay as they are.
public struct ConvertDecisions: Hashable, Sendable {
  /// Who a decision was taken for. On disk the three ids are joined by `-`.
  public struct Subject: Hashable, Sendable {
    /// The account and the project, as they stand on disk before the visitor's id: `<account>-<project>`.
    public var project: String
    /// The visitor's id.
    public var visitor: String

    /// A subject from its parts.
    public init(project: String, visitor: String) {
      self.project = project
      self.visitor = visitor
    }

    var key: String { "\(project)-\(visitor)" }

    /// The subject of a key: account and project are numbers, a visitor's id may hold anything.
    init?(key: String) {
      let parts = key.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty, !parts[2].isEmpty else { return nil }
      project = "\(parts[0])-\(parts[1])"
      visitor = String(parts[2])
    }
  }

  /// The file's value, as it is to be written.
  public private(set) var value: JSONValue

  /// How many subjects are kept at most; the SDK drops the oldest.
  public static let limit = 10_000

  /// Decisions as they stand in the file.
  /// - Throws: ``ConvertError`` where the file is not of that form.
  public init(_ value: JSONValue) throws(ConvertError) {
    guard value.members != nil else { throw .form(ConvertNames.decisions) }
    if let store = value["store"], store.members == nil { throw .form(ConvertNames.decisions) }
    if let order = value["order"], order.elements == nil { throw .form(ConvertNames.decisions) }
    self.value = value
  }

  /// No decisions.
  public init() { value = ["store": .object([]), "order": .array([])] }

  /// Everyone a decision was taken for, the oldest first, as far as the file says.
  public var subjects: [Subject] {
    let known = value["order"]?.elements?.compactMap(\.stringValue) ?? []
    let stored = value["store"]?.members?.map(\.name) ?? []
    let ordered = known.filter(Set(stored).contains)
    return (ordered + stored.filter { !Set(known).contains($0) }).compactMap(Subject.init(key:))
  }

  /// What was decided for somebody; nil where nothing was.
  public subscript(subject: Subject) -> JSONValue? { value["store"]?[subject.key] }

  /// The variation somebody was given in an experience, to be asked for before one is calculated.
  public func variation(of experience: String, for subject: Subject) -> JSONValue? {
    self[subject]?["bucketing"]?[experience]
  }

  /// Notes that somebody reached a goal.
  /// - Returns: whether they had not before; a goal counts once.
  public mutating func reach(goal: String, _ subject: Subject) -> Bool {
    var entry = self[subject] ?? .object([])
    guard entry["goalTriggered"]?[goal]?.booleanValue != true else { return false }
    guard entry.set(true, at: ["goalTriggered", goal]) else { return false }
    put(entry, for: subject)
    return true
  }

  /// Gives one visitor what was decided for another, in every project: variations, goals and segments. What was decided for
  /// the new id already stays.
  /// - Returns: how many projects it concerned.
  @discardableResult
  public mutating func move(from old: String, to new: String) -> Int {
    guard old != new, !new.isEmpty else { return 0 }
    let moved = subjects.filter { $0.visitor == old }
    for subject in moved {
      let target = Subject(project: subject.project, visitor: new)
      let merged = Self.merging(self[target] ?? .object([]), with: self[subject] ?? .object([]))
      put(merged, for: target, inPlaceOf: subject)
    }
    return moved.count
  }

  private mutating func put(_ entry: JSONValue, for subject: Subject, inPlaceOf old: Subject? = nil) {
    var store = value["store"]?.members ?? []
    var order = value["order"]?.elements?.compactMap(\.stringValue) ?? []
    if let old {
      store.removeAll { $0.name == old.key }
      if order.contains(subject.key) {
        order.removeAll { $0 == old.key }
      } else {
        order = order.map { $0 == old.key ? subject.key : $0 }
      }
    }
    if let index = store.firstIndex(where: { $0.name == subject.key }) {
      store[index].value = entry
    } else {
      store.append(JSONMember(subject.key, entry))
    }
    if !order.contains(subject.key) { order.append(subject.key) }
    if order.count > Self.limit {
      let gone = Set(order.prefix(order.count - Self.limit))
      order.removeFirst(order.count - Self.limit)
      store.removeAll { gone.contains($0.name) }
    }
    value.set(.object(store), at: "store")
    value.set(.array(order.map(JSONValue.string)), at: "order")
  }

  /// The first value wins, member by member; two levels deep, as the entries are.
  private static func merging(_ first: JSONValue, with second: JSONValue, depth: Int = 2) -> JSONValue {
    guard depth > 0, var members = first.members, let others = second.members else { return first }
    for other in others {
      if let index = members.firstIndex(where: { $0.name == other.name }) {
        members[index].value = merging(members[index].value, with: other.value, depth: depth - 1)
      } else {
        members.append(other)
      }
    }
    return .object(members)
  }
}

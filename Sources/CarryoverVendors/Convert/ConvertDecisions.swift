import Carryover
import CarryoverStorage
public import PropertyLists

/// The decisions of Convert's SDK about its visitors: the variations that they got, the goals that were counted and the
/// segments that they are in. Unknown members are preserved, and numbers keep their text.
public struct ConvertDecisions: Sendable, Hashable {
  /// The subject of a decision: a visitor of a project. In the file, the three ids are joined by `-`.
  public struct Subject: Hashable, Sendable {
    /// The account and the project as in the file: `<account>-<project>`. Each is empty if the configuration has none.
    package var project: String
    package var visitor: String

    /// A visitor of a project. Nil if an id is empty, or if the account's or the project's id contains `-`, the
    /// separator of the ids in the file.
    public init?(account: String, project: String, visitor: String) {
      self.init(project: "\(account)-\(project)", visitor: visitor)
      guard !account.isEmpty, !project.isEmpty, Self(key: key) == self else { return nil }
    }

    package init(project: String, visitor: String) {
      self.project = project
      self.visitor = visitor
    }

    var key: String { "\(project)-\(visitor)" }

    /// The subject of a key. The account and the project contain no `-`; the visitor's id may contain any character.
    init?(key: String) {
      let parts = key.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, !parts[2].isEmpty else { return nil }
      project = "\(Substring(parts[0]))-\(Substring(parts[1]))"
      visitor = String(Substring(parts[2]))
    }
  }

  /// The maximum number of subjects. The SDK drops the oldest.
  package static let limit = 10_000

  private var root: [JSONMember]
  private var entries: ConvertEntries

  package init(_ value: JSONValue) throws(ConvertError) {
    guard let root = value.members, let entries = ConvertEntries(store: value["store"], order: value["order"]) else {
      throw .form(path: ConvertNames.decisions)
    }
    self.root = root
    self.entries = entries
  }

  package init() {
    root = []
    entries = ConvertEntries()
  }

  package var value: JSONValue {
    var root = root
    for (name, value) in [("store", entries.store), ("order", entries.order)] {
      if let index = root.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
        root[index].value = value
      } else {
        root.append(JSONMember(name, value))
      }
    }
    return .object(root)
  }

  /// The subjects with decisions, the oldest first as far as the file tells.
  package var subjects: [Subject] { entries.keys.compactMap(Subject.init(key:)) }

  package var visitors: [String] { subjects.map(\.visitor).distinct() }

  package subscript(subject: Subject) -> JSONValue? { entries[subject.key] }

  /// The subject's variation in an experience; nil if none was decided. Call it before you calculate a variation.
  public func variation(of experience: String, for subject: Subject) -> JSONValue? {
    self[subject]?["bucketing"]?[experience]
  }

  /// The subject's variation in an experience. If none was decided, calculates one and stores it for later calls.
  public mutating func variation(
    of experience: String, for subject: Subject, orCalculate variation: () -> JSONValue
  ) -> JSONValue {
    if let kept = self.variation(of: experience, for: subject) { return kept }
    let new = variation()
    set(new, experience, in: "bucketing", for: subject)
    return new
  }

  /// - Returns: whether this is the first time. A goal counts once.
  package mutating func reach(goal: String, _ subject: Subject) -> Bool {
    switch self[subject]?["goalTriggered"]?[goal] {
    case nil, .null, .boolean(false): break
    default: return false
    }
    set(true, goal, in: "goalTriggered", for: subject)
    return true
  }

  /// The segments that the subject is in.
  public func segments(of subject: Subject) -> [JSONMember] { self[subject]?["segments"]?.members ?? [] }

  /// Puts the subject into a segment. Its other segments do not change.
  public mutating func put(_ subject: Subject, inSegment name: String, _ value: JSONValue) {
    set(value, name, in: "segments", for: subject)
  }

  /// Copies one visitor's decisions to another visitor, in every project, except what the new id already has. No
  /// subject is dropped, even over the limit.
  /// - Returns: the number of affected projects.
  @discardableResult
  package mutating func copy(from old: String, to new: String) -> Int {
    guard !new.isEmpty, !old.utf8.elementsEqual(new.utf8) else { return 0 }
    let found = subjects(of: old)
    var followers: [[UInt8]: String] = [:]
    for subject in found {
      let target = Subject(project: subject.project, visitor: new)
      let merged = (self[target] ?? .object([])).merging(self[subject] ?? .object([]), depth: 2)
      if entries.put(merged, at: target.key) { followers[Array(subject.key.utf8)] = target.key }
    }
    entries.insertIntoOrder(behind: followers)
    return found.count
  }

  @discardableResult
  package mutating func remove(visitor: String) -> Int {
    let found = subjects(of: visitor)
    entries.remove(found.map(\.key))
    return found.count
  }

  @discardableResult
  package mutating func move(from old: String, to new: String) -> Int {
    let count = copy(from: old, to: new)
    if count > 0 { remove(visitor: old) }
    return count
  }

  private func subjects(of visitor: String) -> [Subject] {
    subjects.filter { $0.visitor.utf8.elementsEqual(visitor.utf8) }
  }

  private mutating func set(_ value: JSONValue, _ name: String, in group: String, for subject: Subject) {
    var entry = self[subject] ?? .object([])
    if entry[group]?.members == nil { entry.set(.object([]), at: [group]) }
    entry.set(value, at: [group, name])
    if entries.put(entry, at: subject.key) {
      entries.appendToOrder(subject.key)
      entries.dropOldest(over: Self.limit)
    }
  }

  /// Whether the values of the files are equal.
  public static func == (left: Self, right: Self) -> Bool { left.value == right.value }
  /// Feeds the value of the file.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// What the SDK itself (2.0.0) decodes: `PersistedStore` in DecisionStore.swift, `StoreData` and `Segments`. A value of
/// another type fails the whole file. A member that is null counts as missing.
extension ConvertDecisions {
  /// The reason that the SDK throws the decisions in a file away, as a sentence; nil if it reads them.
  static func refusal(of value: JSONValue) -> String? {
    guard value["store"]?.members != nil else { return "It has no object “store”." }
    guard let order = value["order"]?.elements else { return "It has no list “order”." }
    guard order.allSatisfy({ $0.stringValue != nil }) else { return "Its list “order” has something other than text." }
    let entries = value["store"]?.members ?? []
    return entries.allSatisfy { Self.isRead($0.value) } ? nil : "It has a value of a type that the SDK does not write."
  }

  private static func isRead(_ entry: JSONValue) -> Bool {
    guard entry.members != nil else { return false }
    return isMap(entry["bucketing"]) { $0.stringValue != nil }
      && isMap(entry["goalTriggered"]) { $0.booleanValue != nil }
      && isMap(entry["locations"]) { $0.stringValue != nil } && areSegments(entry["segments"])
  }

  private static func isMap(_ value: JSONValue?, _ isValue: (JSONValue) -> Bool) -> Bool {
    isMissing(value) || value?.members?.allSatisfy { isValue($0.value) } ?? false
  }

  private static func areSegments(_ value: JSONValue?) -> Bool {
    guard !isMissing(value) else { return true }
    guard let value, value.members != nil else { return false }
    let texts = ["country", "browser", "devices", "source", "campaign", "visitorType"]
    guard texts.allSatisfy({ isMissing(value[$0]) || value[$0]?.stringValue != nil }) else { return false }
    let custom = value["customSegments"]
    return isMissing(custom) || custom?.elements?.allSatisfy { $0.stringValue != nil } ?? false
  }

  private static func isMissing(_ value: JSONValue?) -> Bool { value == nil || value == .null }
}

/// The entries of the decisions' file by the bytes of their keys, and their order. The time to find an entry does not
/// depend on their number: a removed one leaves a gap, and gaps are closed only when there are many.
struct ConvertEntries: Sendable {
  private var members: [JSONMember?] = []
  private var index: [[UInt8]: Int] = [:]
  /// The order as in the file, with elements that are not text.
  private var sequence: [JSONValue?] = []
  /// Where the search for the oldest entry starts; no entry before it can be dropped.
  private var oldest = 0
  private var gaps = 0

  init() {}

  /// The entries of a file; nil if they do not have the SDK's form.
  init?(store: JSONValue?, order: JSONValue?) {
    switch (store, order) {
    case (nil, nil), (.object, nil), (nil, .array), (.object, .array): break
    default: return nil
    }
    let found = store?.members ?? []
    guard found.allSatisfy({ Self.isEntry($0.value) }) else { return nil }
    members = found
    sequence = order?.elements ?? []
    makeIndex()
    completeOrder(found)
  }

  var store: JSONValue { .object(members.compactMap(\.self)) }
  var order: JSONValue { .array(sequence.compactMap(\.self)) }

  /// The keys, the oldest first.
  var keys: [String] { sequence.compactMap { $0?.stringValue }.filter { index[Array($0.utf8)] != nil } }

  subscript(key: String) -> JSONValue? { index[Array(key.utf8)].flatMap { members[$0]?.value } }

  /// - Returns: whether the key is new. The order does not contain it yet then.
  mutating func put(_ entry: JSONValue, at key: String) -> Bool {
    let bytes = Array(key.utf8)
    if let place = index[bytes] {
      members[place] = JSONMember(key, entry)
      return false
    }
    index[bytes] = members.count
    members.append(JSONMember(key, entry))
    return true
  }

  mutating func appendToOrder(_ key: String) { sequence.append(.string(key)) }

  /// Inserts new keys into the order, each after an older one.
  mutating func insertIntoOrder(behind followers: [[UInt8]: String]) {
    guard !followers.isEmpty else { return }
    sequence = sequence.compactMap(\.self).flatMap { element -> [JSONValue] in
      guard let key = element.stringValue, let follower = followers[Array(key.utf8)] else { return [element] }
      return [element, .string(follower)]
    }
    oldest = 0
  }

  mutating func remove(_ keys: [String]) {
    guard !keys.isEmpty else { return }
    close(without: keys)
  }

  /// Closes the gaps and removes keys.
  private mutating func close(without keys: [String] = []) {
    let gone = Set(keys.map { Array($0.utf8) })
    members.removeAll { $0.map { gone.contains(Array($0.name.utf8)) } ?? true }
    sequence.removeAll { $0.map { $0.stringValue.map { gone.contains(Array($0.utf8)) } ?? false } ?? true }
    makeIndex()
  }

  mutating func dropOldest(over limit: Int) {
    guard index.count > limit else { return }
    // A file may contain a name twice; both entries have to be removed.
    guard index.count + gaps == members.count else { return remove(Array(keys.prefix(index.count - limit))) }
    while index.count > limit, oldest < sequence.count {
      if let key = sequence[oldest]?.stringValue, let place = index.removeValue(forKey: Array(key.utf8)) {
        members[place] = nil
        sequence[oldest] = nil
        gaps += 1
      }
      oldest += 1
    }
    if gaps > max(limit / 4, 16) { close() }
  }

  private mutating func makeIndex() {
    index = [:]
    for (place, member) in members.enumerated() {
      guard let name = member.map({ Array($0.name.utf8) }), index[name] == nil else { continue }
      index[name] = place
    }
    (oldest, gaps) = (0, 0)
  }

  /// Keys that are not in the order are the newest. If the order has a key twice, the first place counts.
  private mutating func completeOrder(_ members: [JSONMember]) {
    var known: Set<[UInt8]> = []
    sequence.removeAll { $0?.stringValue.map { !known.insert(Array($0.utf8)).inserted } ?? false }
    for member in members where known.insert(Array(member.name.utf8)).inserted { sequence.append(.string(member.name)) }
  }

  /// Whether a value is an entry: an object whose known members, if present, are objects.
  private static func isEntry(_ value: JSONValue) -> Bool {
    guard case .object(let members) = value else { return false }
    return members.allSatisfy { !known.contains($0.name) || $0.value == .null || $0.value.members != nil }
  }

  private static let known: Set = ["bucketing", "goalTriggered", "segments", "locations"]
}

extension JSONValue {
  /// Merges the members of two objects down to a depth. If both have a member, the first one's stays. Null is none.
  func merging(_ second: JSONValue, depth: Int) -> JSONValue {
    guard case .object(var members) = self, case .object(let others) = second, depth > 0 else {
      return self == .null ? second : self
    }
    var places = Dictionary(
      members.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    for other in others {
      let name = Array(other.name.utf8)
      if let place = places[name] {
        members[place].value = members[place].value.merging(other.value, depth: depth - 1)
      } else {
        places[name] = members.count
        members.append(other)
      }
    }
    return .object(members)
  }
}

import Carryover
import CarryoverStorage
public import PropertyLists

/// The decisions Convert's SDK has taken for visitors: which variation each was given, which goals were counted, which
/// segments they are in. Members that are not known stay as they are, numbers with their text.
public struct ConvertDecisions: Sendable {
  /// Who a decision was taken for. On disk the three ids are joined by `-`.
  public struct Subject: Hashable, Sendable {
    /// The account and the project, as they stand on disk before the visitor's id: `<account>-<project>`. Each is empty
    /// where the configuration has none.
    package var project: String
    /// The visitor's id.
    package var visitor: String

    /// A visitor of a project, for whom decisions can be stored: nil if an id is empty, or if the account's or the
    /// project's contains `-`, which ends these two on disk.
    public init?(account: String, project: String, visitor: String) {
      self.init(project: "\(account)-\(project)", visitor: visitor)
      guard !account.isEmpty, !project.isEmpty, Self(key: key) == self else { return nil }
    }

    /// - Parameters:
    ///   - project: `<account>-<project>`, as on disk.
    ///   - visitor: the visitor's id.
    package init(project: String, visitor: String) {
      self.project = project
      self.visitor = visitor
    }

    var key: String { "\(project)-\(visitor)" }

    /// The subject of a key: account and project are numbers or empty, a visitor's id may hold anything.
    init?(key: String) {
      let parts = key.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, !parts[2].isEmpty else { return nil }
      project = "\(Substring(parts[0]))-\(Substring(parts[1]))"
      visitor = String(Substring(parts[2]))
    }
  }

  /// How many subjects are kept at most; the SDK drops the oldest.
  package static let limit = 10_000

  private var root: [JSONMember]
  private var entries: ConvertEntries

  /// Decisions as they stand in the file.
  /// - Throws: ``ConvertError/form(path:)`` where the file is not of that form.
  package init(_ value: JSONValue) throws(ConvertError) {
    guard let root = value.members, let entries = ConvertEntries(store: value["store"], order: value["order"]) else {
      throw .form(path: ConvertNames.decisions)
    }
    self.root = root
    self.entries = entries
  }

  /// No decisions.
  package init() {
    root = []
    entries = ConvertEntries()
  }

  /// The file's value, as it is to be written.
  package var value: JSONValue {
    var root = root
    for (name, value) in [("store", entries.store), ("order", entries.order)] {
      if let index = root.firstIndex(where: { $0.name == name }) {
        root[index].value = value
      } else {
        root.append(JSONMember(name, value))
      }
    }
    return .object(root)
  }

  /// Everyone a decision was taken for, the oldest first, as far as the file says.
  package var subjects: [Subject] { entries.keys.compactMap(Subject.init(key:)) }

  /// The visitors, each once, the oldest first.
  package var visitors: [String] {
    var seen: Set<[UInt8]> = []
    return subjects.map(\.visitor).filter { seen.insert(Array($0.utf8)).inserted }
  }

  /// What was decided for somebody; nil where nothing was.
  package subscript(subject: Subject) -> JSONValue? { entries[subject.key] }

  /// The variation somebody was given in an experience, to be asked for before one is calculated.
  public func variation(of experience: String, for subject: Subject) -> JSONValue? {
    self[subject]?["bucketing"]?[experience]
  }

  /// The variation somebody was given in an experience; where there is none, one is calculated and kept, so that it is the
  /// same from then on.
  public mutating func variation(
    of experience: String, for subject: Subject, orCalculate variation: () -> JSONValue
  ) -> JSONValue {
    if let kept = self.variation(of: experience, for: subject) { return kept }
    let new = variation()
    set(new, experience, in: "bucketing", for: subject)
    return new
  }

  /// Notes that somebody reached a goal.
  /// - Returns: whether they had not before; a goal counts once.
  package mutating func reach(goal: String, _ subject: Subject) -> Bool {
    switch self[subject]?["goalTriggered"]?[goal] {
    case nil, .null, .boolean(false): break
    default: return false
    }
    set(true, goal, in: "goalTriggered", for: subject)
    return true
  }

  /// The segments somebody is in.
  public func segments(of subject: Subject) -> [JSONMember] { self[subject]?["segments"]?.members ?? [] }

  /// Puts somebody into a segment; the others are kept.
  public mutating func put(_ subject: Subject, inSegment name: String, _ value: JSONValue) {
    set(value, name, in: "segments", for: subject)
  }

  /// Gives one visitor what was decided for another, in every project, and leaves it with the other too: variations, goals,
  /// segments, whatever else there is. What was decided for the new id already stays. Nobody is dropped for it, even over
  /// the limit.
  /// - Returns: how many projects it concerned.
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

  /// Forgets a visitor in every project.
  /// - Returns: how many projects it concerned.
  @discardableResult
  package mutating func remove(visitor: String) -> Int {
    let found = subjects(of: visitor)
    entries.remove(found.map(\.key))
    return found.count
  }

  /// Gives one visitor what was decided for another, who has it no longer.
  /// - Returns: how many projects it concerned.
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
}

extension ConvertDecisions: Hashable, CustomHashable {
  /// Whether the files' values are the same.
  package func isEqual(to other: ConvertDecisions) -> Bool { value == other.value }

  package func feed(_ hasher: inout Hasher) { hasher.combine(value) }
}

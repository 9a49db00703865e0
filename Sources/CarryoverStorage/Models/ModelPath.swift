public import PropertyLists

/// The path of a member in a model: names, from the outermost object inwards. Elements of arrays have no path; use
/// ``ModelOperation/each(of:_:)`` or a step in code for them.
public struct ModelPath: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  CustomStringConvertible, Described
{
  /// The names, compared byte by byte as in JSON.
  private let names: [StringByBytes]

  /// The names, from the outermost object inwards; never empty.
  package var members: [String] { names.map(\.text) }

  /// Creates a path from names; an empty list means the member with an empty name.
  package init(_ members: [String]) { names = (members.isEmpty ? [""] : members).map { StringByBytes($0) } }
  /// Creates a path from names separated by dots: `preferences.theme`.
  public init(stringLiteral path: String) { self.init(path) }
  /// Creates a path from names separated by dots. For a name that contains a dot, use a list.
  package init(_ path: String) {
    self.init(path.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
  }
  /// Creates a path from names, which may contain dots.
  public init(arrayLiteral members: String...) { self.init(members) }

  package var words: String { members.joined(separator: ".") }
}

extension ModelPath {
  fileprivate init(_ members: ArraySlice<String>) { self.init(Array(members)) }
}

extension JSONValue {
  /// The value at a path; nil if there is none. Set nil to remove it. If members share a name, the first one counts.
  ///
  /// Setting a missing member appends it, and creates the missing objects on the way. Does nothing if a value on the
  /// way is not an object; the check of the new version's members detects that.
  public subscript(path: ModelPath) -> JSONValue? {
    get {
      var value: JSONValue? = self
      for name in path.members { value = value?[name] }
      return value
    }
    set {
      if let newValue { set(newValue, at: path) } else { remove(at: path) }
    }
  }

  /// Sets the value at a path. An existing member keeps its position, a new one is appended, and missing objects on the
  /// way are created. If several members have the name, the first gets the value and the others are removed, because
  /// readers differ in which one they use.
  /// - Returns: false, with nothing changed, if a value on the way is not an object.
  @discardableResult
  package mutating func set(_ new: JSONValue, at path: ModelPath) -> Bool {
    change(path.members[...]) { _ in new }
  }

  /// Removes the value at a path, with every other member of the same name.
  /// - Returns: the removed value; nil if there was none.
  @discardableResult
  package mutating func remove(at path: ModelPath) -> JSONValue? {
    guard let found = self[path] else { return nil }
    _ = change(path.members[...]) { _ in nil }
    return found
  }

  /// Renames a member in its place. Does not check whether another member has the new name.
  mutating func rename(_ path: ModelPath, to name: String) {
    guard let last = path.members.last else { return }
    _ = changeMembers(path.members.dropLast()) { members in
      for index in members.indices where members[index].name.utf8.elementsEqual(last.utf8) {
        members[index].name = name
      }
    }
  }

  private mutating func change(_ path: ArraySlice<String>, _ body: (JSONValue?) -> JSONValue?) -> Bool {
    guard let name = path.last else { return false }
    return changeMembers(path.dropLast()) { members in
      let position = members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
      guard let new = body(position.map { members[$0].value }) else {
        members.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
        return
      }
      guard let position else { return members.append(JSONMember(name, new)) }
      members[position].value = new
      let tail = members[(position + 1)...].filter { !$0.name.utf8.elementsEqual(name.utf8) }
      members.replaceSubrange((position + 1)..., with: tail)
    }
  }

  /// Changes the members of the object at a path. The path limits the recursion.
  private mutating func changeMembers(_ path: ArraySlice<String>, _ body: (inout [JSONMember]) -> Void) -> Bool {
    guard case .object(var members) = self else { return false }
    guard let name = path.first else {
      body(&members)
      self = .object(members)
      return true
    }
    let position = members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    var inner = position.map { members[$0].value } ?? .object([])
    guard inner.changeMembers(path.dropFirst(), body) else { return false }
    if let position { members[position].value = inner } else { members.append(JSONMember(name, inner)) }
    self = .object(members)
    return true
  }
}

/// The types of a JSON value, as steps and reports name them.
public enum JSONKind: String, Hashable, Sendable, CaseIterable {
  case object, array, string, number, boolean, null
}

extension JSONValue {
  package var kind: JSONKind {
    switch self {
    case .object: .object
    case .array: .array
    case .string: .string
    case .number: .number
    case .boolean: .boolean
    case .null: .null
    }
  }

  /// The value converted to another type; nil if that is not possible.
  ///
  /// A string becomes the number or boolean that it spells in JSON; a number or boolean becomes its JSON text; 1 and 0
  /// become true and false, and back. Objects, arrays and null are not converted.
  func converted(to kind: JSONKind) -> JSONValue? {
    if kind == self.kind { return self }
    switch (self, kind) {
    case (.string(let text), .number): return JSONNumber(lexeme: text).map(JSONValue.number)
    case (.string("true"), .boolean): return true
    case (.string("false"), .boolean): return false
    case (.number(let number), .string): return .string(number.lexeme)
    case (.boolean(let value), .string): return .string(value ? "true" : "false")
    case (.boolean(let value), .number): return value ? 1 : 0
    case (.number(let number), .boolean): return number.int64 == 1 ? true : number.int64 == 0 ? false : nil
    default: return nil
    }
  }

  /// Whether arrays and objects nest deeper than a limit. Does not recurse, so any depth is safe.
  func isDeeper(than limit: Int) -> Bool {
    var pending = [(value: self, depth: 1)]
    while let (value, depth) = pending.popLast() {
      switch value {
      case .object(let members):
        if depth > limit { return true }
        for member in members { pending.append((member.value, depth + 1)) }
      case .array(let elements):
        if depth > limit { return true }
        for element in elements { pending.append((element, depth + 1)) }
      case .string, .number, .boolean, .null: break
      }
    }
    return false
  }

  /// Releases the value level by level and leaves null. Swift releases nested values recursively, which would exhaust
  /// the stack at 100,000 levels. Parts with another owner are not changed.
  mutating func dismantle() {
    var pending = [self]
    self = .null
    while let value = pending.popLast() {
      switch value {
      case .object(let members): for member in members { pending.append(member.value) }
      case .array(let elements): pending += elements
      case .string, .number, .boolean, .null: break
      }
    }
  }
}

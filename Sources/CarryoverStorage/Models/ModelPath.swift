public import PropertyLists

/// A place in a model: names of members from the outermost in. Elements of arrays have no path; ``ModelOperation/each(of:_:)``
/// or a coded step reaches them.
public struct ModelPath: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  CustomStringConvertible, Described
{
  /// The names, told apart byte by byte as in JSON.
  private let names: [StringByBytes]

  /// The names, from the outermost in; never empty.
  package var members: [String] { names.map(\.text) }

  /// A place by its names; an empty list means the member with an empty name.
  package init(_ members: [String]) { names = (members.isEmpty ? [""] : members).map(StringByBytes.init) }
  /// A place by its names, parted by dots: `preferences.theme`.
  public init(stringLiteral path: String) { self.init(path) }
  /// A place by its names, parted by dots. For a name with a dot in it, give the list.
  package init(_ path: String) {
    self.init(path.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
  }
  /// A place by its names.
  public init(arrayLiteral members: String...) { self.init(members) }

  /// The names, parted by dots.
  package var words: String { members.joined(separator: ".") }

  /// The place of what the member is in; nil for an outermost one.
  var parent: ModelPath? { members.count > 1 ? ModelPath(members.dropLast()) : nil }
}

extension ModelPath {
  fileprivate init(_ members: ArraySlice<String>) { self.init(Array(members)) }
}

extension JSONValue {
  /// The value at a place; nil if there is none. Set nil to remove it. If members share a name, the first one counts.
  ///
  /// Setting a missing member appends it, and creates the missing objects on the way. Nothing happens if a value on
  /// the way is not an object; the step's shape finds that.
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

  /// Puts a value at a place. A member that is there keeps its position, a new one comes last; objects on the way that are
  /// missing are made. Of several members with the name the first one gets the value and the others go: readers differ in
  /// which one they take.
  /// - Returns: whether it could be done: false where something on the way is no object; nothing has changed then.
  @discardableResult
  package mutating func set(_ new: JSONValue, at path: ModelPath) -> Bool {
    change(path.members[...]) { _ in new }
  }

  /// Takes the value at a place away, with every other member of the same name.
  /// - Returns: what was there; nil where there was nothing.
  @discardableResult
  package mutating func remove(at path: ModelPath) -> JSONValue? {
    guard let found = self[path] else { return nil }
    _ = change(path.members[...]) { _ in nil }
    return found
  }

  /// Gives a member another name where it stands. Nothing is said of a member that has the new name already.
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

  /// Changes the members of the object at a place. Recursion is bounded by the path, which a programmer wrote.
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

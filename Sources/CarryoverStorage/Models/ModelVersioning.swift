import CarryoverSystem
public import PropertyLists

/// How to recognise the version of stored data: by a marker in the data, by a number beside it, or by its required and
/// forbidden members. They apply in this order; members that contradict the version are an error.
///
/// A number beside the data applies even if it is not declared: if a number is stored under the data's name and
/// `_schema_version`, the data has that version.
public struct ModelVersioning: Hashable, Sendable {
  /// The outermost member that contains the version as a whole number; nil for data without one. It is written together
  /// with the data.
  package var marker: String?
  /// The name of the version beside the data; nil if it is not declared. Data and version are two writes: until both
  /// are done, a note beside them says which data has which version.
  package var beside: ModelVersionKey?
  /// The version of data without a marker and without a number beside it; nil if the members determine it.
  package var unmarked: Int?
  package var shapes: [Int: ModelShape]
  package private(set) var isOfElements = false

  /// Recognises the version by a marker in the data; without one, by `unmarked` or, if that is nil, by the members.
  public init(marker: String, unmarked: Int? = nil, shapes: [Int: ModelShape] = [:]) {
    self.marker = marker
    self.unmarked = unmarked
    self.shapes = shapes
  }

  /// Recognises the version by the members alone.
  public init(shapes: [Int: ModelShape]) { self.shapes = shapes }

  /// Recognises the version by a whole number beside the data, under its own name.
  ///
  /// When an app stores a model for the first time, it must store this number too, with
  /// ``ByteStore/setInteger(_:for:)``. Data without it has the version `unmarked`; shapes must not contradict it.
  public init(beside key: ModelVersionKey, unmarked: Int? = 1, shapes: [Int: ModelShape] = [:]) {
    marker = nil
    beside = key
    self.unmarked = unmarked
    self.shapes = shapes
  }

  /// The same versioning for a model that is an array. All elements have the marker and the members of one
  /// version. An empty array has the newest version, unless a number beside it says otherwise.
  public func ofElements() -> ModelVersioning {
    var versioning = self
    versioning.isOfElements = true
    return versioning
  }

  package func version(of value: JSONValue, beside: Int? = nil) throws(ModelVersionError) -> Int {
    guard isOfElements else {
      guard value.members != nil else { throw .notAnObject(value.kind) }
      return try single(value, beside)
    }
    guard let elements = value.elements else { throw .notAnArray(value.kind) }
    var versions: Set<Int> = []
    for element in elements { versions.insert(try single(element, beside)) }
    guard let version = versions.min() ?? beside ?? (self.beside == nil ? nil : unmarked) else { throw .noMatch }
    guard versions.count <= 1 else { throw .several(versions.sorted()) }
    return version
  }

  /// The version of a model that is one object, or of one element of an array.
  private func single(_ value: JSONValue, _ beside: Int?) throws(ModelVersionError) -> Int {
    if let marker, let marked = value[marker] {
      guard value.members?.allSatisfy({ !$0.name.utf8.elementsEqual(marker.utf8) || $0.value == marked }) == true else {
        throw .severalMarkers(marker)
      }
      guard let version = marked.numberValue?.int64.flatMap(Int.init(exactly:)), version >= 0 else {
        throw .badMarker(marker)
      }
      // Data that counts as older than it is would be migrated twice.
      if let beside, beside > version { throw .besideNewer(marked: version, beside: beside) }
      return try checked(version, value)
    }
    if let version = beside ?? unmarked { return try checked(version, value) }
    let matching = shapes.filter { $0.value.matches(value) }.keys.sorted()
    guard let version = matching.first else { throw .noMatch }
    guard matching.count == 1 else { throw .several(matching) }
    return version
  }

  private func checked(_ version: Int, _ value: JSONValue) throws(ModelVersionError) -> Int {
    if let shape = shapes[version], !shape.matches(value) { throw .markerContradicted(version) }
    return version
  }
}

/// The name under which the version of data is stored, in the same store, as a whole number.
public enum ModelVersionKey: Hashable, Sendable {
  /// The data's name, followed by `_schema_version`.
  case schemaVersion
  /// The data's name, followed by this suffix.
  case suffix(String)
  /// This name.
  case named(String)

  package func name(for data: String) -> String {
    switch self {
    case .schemaVersion: data + "_schema_version"
    case .suffix(let suffix): data + suffix
    case .named(let name): name
    }
  }
}

/// The members that identify a version: data matches if it has every required member and no forbidden one.
public struct ModelShape: Hashable, Sendable {
  package var required: Set<ModelPath>
  package var forbidden: Set<ModelPath>

  /// Creates a shape from its required and forbidden members.
  public init(required: Set<ModelPath>, forbidden: Set<ModelPath> = []) {
    self.required = required
    self.forbidden = forbidden
  }

  package func matches(_ value: JSONValue) -> Bool {
    (value.elements ?? [value]).allSatisfy { value in
      required.allSatisfy { value[$0] != nil } && forbidden.allSatisfy { value[$0] == nil }
    }
  }

  /// Whether no data can match both.
  func excludes(_ other: ModelShape) -> Bool {
    !required.isDisjoint(with: other.forbidden) || !forbidden.isDisjoint(with: other.required)
  }
}

/// Why the version of some data is unknown.
public enum ModelVersionError: Error, Hashable, Sendable, CustomStringConvertible, Described {
  /// The data has this type, but the model must be an object.
  case notAnObject(JSONKind)
  /// The data has this type, but the model must be an array.
  case notAnArray(JSONKind)
  /// The marker is not a whole number of 0 or more.
  case badMarker(String)
  /// The marker occurs more than once, with different values; readers differ in which one they use.
  case severalMarkers(String)
  /// The data does not have the members of this version, which its marker or its number gives.
  case markerContradicted(Int)
  /// The marker gives one version, and the number beside the data a later one.
  case besideNewer(marked: Int, beside: Int)
  /// The data has the members of no known version.
  case noMatch
  /// The data has the members of several versions.
  case several([Int])
  /// The number stored beside the data, under this name, is below 0.
  case badNumber(String)
  /// A migration was interrupted before it wrote the number beside the data, under this name, and other code has
  /// changed the data since. The number may belong to the old data or to the new.
  case changedSince(String)

  package var words: String {
    switch self {
    case .notAnObject(let kind): "the data is of type \(kind.rawValue), and a model is an object"
    case .notAnArray(let kind): "the data is of type \(kind.rawValue), and this model is an array"
    case .badMarker(let name): "its version in \(DisplayText.quoted(name)) is not a whole number of 0 or more"
    case .severalMarkers(let name): "its version in \(DisplayText.quoted(name)) is there more than once and differs"
    case .markerContradicted(let version): "it is marked as version \(version) and does not have that version's members"
    case .besideNewer(let marked, let beside):
      "it is marked as version \(marked), and the number stored beside it says \(beside)"
    case .badNumber(let name): "its version in \(DisplayText.quoted(name)) is below 0"
    case .changedSince(let name):
      "it was changed after a migration was interrupted, and \(DisplayText.quoted(name)) may be out of date"
    case .noMatch: "it has the members of no known version"
    case .several(let versions):
      "it has the members of versions \(versions.map(String.init).joined(separator: " and "))"
    }
  }
}

/// The path of a member in a model: names, from the outermost object inwards. Elements of arrays have no path; use
/// ``ModelOperation/each(of:_:)`` or a step in code for them.
public struct ModelPath: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  CustomStringConvertible, Described
{
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
  package mutating func set(_ new: JSONValue, at path: ModelPath) -> Bool { change(path.members[...]) { _ in new } }

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

  /// Does not recurse, so any depth is safe.
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

/// The types of a JSON value, as steps and reports name them.
public enum JSONKind: String, Hashable, Sendable, CaseIterable, JSONConvertible {
  case object, array, string, number, boolean, null
}

import CarryoverSystem
public import PropertyLists

/// A declared change of a model, which can be described and checked before it runs. For any other change, write a step
/// in code.
public enum ModelOperation: Hashable, Sendable {
  /// Adds a member with this value. An existing member keeps its value.
  case add(ModelPath, JSONValue)
  /// Renames a member in its place. Fails if there is no such member, or if another one has the new name.
  case rename(ModelPath, to: String)
  /// Removes a member. Does nothing if there is no such member.
  case remove(ModelPath)
  /// Converts a member to another type. If its value cannot be converted, uses `otherwise`; if that is nil, the step
  /// fails. Does nothing if there is no such member.
  case retype(ModelPath, to: JSONKind, otherwise: JSONValue? = nil)
  /// Moves a member and creates missing objects on the way. Fails if there is no member, or the new place has a value.
  case move(ModelPath, to: ModelPath)

  /// Replaces a value with an object that contains it under a name, such as an address's text with an object with a
  /// `street`. Does nothing if there is no such member.
  case wrap(ModelPath, in: String)
  /// Runs operations on each element of an array: the array at a path, or the model itself. Does nothing if there is no
  /// such member.
  case each(of: ModelPath? = nil, [ModelOperation])

  /// Runs the operation.
  /// - Throws: `ModelOperationError`; the value may have changed, and must be discarded.
  package func callAsFunction(_ value: inout JSONValue) throws(ModelOperationError) {
    var elements = Int.max
    try perform(on: &value, &elements)
  }

  /// Runs the operation.
  /// - Parameter left: the most elements on which it may still run other operations. An operation can add elements for
  ///   the next one.
  func perform(on value: inout JSONValue, _ left: inout Int) throws(ModelOperationError) {
    switch self {
    case .add(let path, let new):
      if value[path] == nil, !value.set(new, at: path) { throw .noObject(path) }
    case .rename(let path, let name):
      guard value[path] != nil else { throw .missing(path) }
      guard path.members.last?.hasSameBytes(as: name) != true else { return }
      let new = path.sibling(name)
      guard value[new] == nil else { throw .occupied(new) }
      value.rename(path, to: name)
    case .remove(let path): value.remove(at: path)
    case .retype(let path, let kind, let otherwise):
      guard let old = value[path] else { return }
      guard let new = old.converted(to: kind) ?? otherwise else { throw .notConvertible(path, old.kind, to: kind) }
      value.set(new, at: path)
    case .move(let path, let destination):
      guard let moved = value[path] else { throw .missing(path) }
      guard path != destination else { return }
      guard value[destination] == nil else { throw .occupied(destination) }
      value.remove(at: path)
      guard value.set(moved, at: destination) else { throw .noObject(destination) }
    case .wrap(let path, let name):
      if let old = value[path] { value.set(.object([JSONMember(name, old)]), at: path) }
    case .each(let path, let operations):
      guard let array = path.map({ value[$0] }) ?? value else { return }
      guard var elements = array.elements else { throw .noArray(path) }
      guard elements.count <= left else { throw .tooManyElements }
      left -= elements.count
      for index in elements.indices {
        for operation in operations { try operation.perform(on: &elements[index], &left) }
      }
      if let path { value.set(.array(elements), at: path) } else { value = .array(elements) }
    }
  }

  /// What the operation does, in a few words.
  package var title: String {
    switch self {
    case .add(let path, let value): "add \(path): \(value.text())"
    case .rename(let path, let name): "rename \(path) → \(name)"
    case .remove(let path): "remove \(path)"
    case .retype(let path, let kind, nil): "\(path) → \(kind.rawValue)"
    case .retype(let path, let kind, let otherwise?): "\(path) → \(kind.rawValue), else \(otherwise.text())"
    case .move(let path, let destination): "move \(path) → \(destination)"
    case .wrap(let path, let name): "\(path) → {\(name)}"
    case .each(let path, let operations):
      "each of \(path?.description ?? "the elements"): \(operations.map(\.title).joined(separator: ", "))"
    }
  }
}

package enum ModelOperationError: Error, Hashable, Sendable, CustomStringConvertible {
  case missing(ModelPath)
  case occupied(ModelPath)
  /// A value on the way to the place is not an object.
  case noObject(ModelPath)
  case noArray(ModelPath?)
  case notConvertible(ModelPath, JSONKind, to: JSONKind)
  case tooManyElements

  package var description: String {
    switch self {
    case .missing(let path): "\(DisplayText.quoted(path.description)) is not there"
    case .occupied(let path): "\(DisplayText.quoted(path.description)) is there already"
    case .noObject(let path): "\(DisplayText.quoted(path.description)) would be in something that is not an object"
    case .noArray(let path?): "\(DisplayText.quoted(path.description)) is not an array"
    case .noArray(nil): "the data is not an array"
    case .notConvertible(let path, let kind, let other):
      "\(DisplayText.quoted(path.description)) is of type \(kind.rawValue) and cannot be said as \(other.rawValue)"
    case .tooManyElements: "there are too many elements"
    }
  }
}

extension ModelPath {
  func sibling(_ name: String) -> ModelPath { ModelPath(members.dropLast() + [name]) }
}

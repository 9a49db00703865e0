import CarryoverSystem
public import PropertyLists

/// What a step did to one member of a model, for display.
///
/// Declared operations tell renames and moves. For a step in code, only the data before and after is known, so a
/// renamed member appears as one removed and one added.
package struct ModelChange: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// What was done. The raw value is the word in JSON output.
  package enum Kind: String, Hashable, Sendable, CaseIterable, JSONConvertible {
    case added
    case removed
    /// The member has another name in the same place.
    case renamed
    /// The member is in another place.
    case moved
    case retyped
    case changed
  }

  package var kind: Kind
  /// The old path, or the path of a new member; empty if the values themselves differ in type or are not objects.
  package var path: [String]
  /// The new path; nil if it is the same, or if there is none.
  package var destination: [String]?
  package var before: JSONValue?
  package var after: JSONValue?

  package init(
    _ kind: Kind, path: [String], destination: [String]? = nil, before: JSONValue? = nil, after: JSONValue? = nil
  ) {
    self.kind = kind
    self.path = path
    self.destination = destination
    self.before = before
    self.after = after
  }

  init(path: [String], before: JSONValue?, after: JSONValue?) {
    let kind: Kind =
      switch (before, after) {
      case (nil, _): .added
      case (_, nil): .removed
      case (let before?, let after?): before.kind == after.kind ? .changed : .retyped
      }
    self.init(kind, path: path, before: before, after: after)
  }

  /// Every difference between two values, at the outermost place: removed, changed and added members, in the order of
  /// the first value and then of the second. The order of members does not count; arrays are compared as a whole.
  /// Members with the same name are compared in pairs: the first with the first, the second with the second.
  /// - Parameter operations: those that made the changes, of which renames and moves become one change.
  package static func between(
    _ before: JSONValue, _ after: JSONValue, by operations: [ModelOperation] = []
  ) -> [ModelChange] {
    var changes: [ModelChange] = []
    var pending: [Pair] = [Pair(path: [], before: before, after: after)]
    while let pair = pending.popLast() {
      if case .object(let old)? = pair.before, case .object(let new)? = pair.after {
        // Reversed, because the last one is taken first.
        pending += Pair.members(old, new, in: pair.path).reversed()
      } else if pair.before != pair.after {
        changes.append(ModelChange(path: pair.path, before: pair.before, after: pair.after))
      }
    }
    for way in Way.of(operations) { way.join(&changes, before, after) }
    return changes
  }

  /// Without values, which end up in logs.
  package var description: String {
    let place = path.isEmpty ? "the outermost value" : DisplayText.quoted(path.joined(separator: "."))
    return "\(place): \(before?.kind.rawValue ?? "nothing") → \(after?.kind.rawValue ?? "nothing")"
  }

  package var customMirror: Mirror {
    Mirror(self, children: ["path": path, "before": before?.kind as Any, "after": after?.kind as Any])
  }

  private struct Pair {
    var path: [String]
    var before: JSONValue?
    var after: JSONValue?

    static func members(_ old: [JSONMember], _ new: [JSONMember], in path: [String]) -> [Pair] {
      let (oldNames, newNames) = (Occurrence.of(old), Occurrence.of(new))
      let partners = Dictionary(zip(newNames, new.map(\.value)), uniquingKeysWith: { first, _ in first })
      let known = Set(oldNames)
      var pairs = zip(old, oldNames).map { member, name in
        Pair(path: path + [member.name], before: member.value, after: partners[name])
      }
      for (member, name) in zip(new, newNames) where !known.contains(name) {
        pairs.append(Pair(path: path + [member.name], before: nil, after: member.value))
      }
      return pairs
    }
  }

  /// A member, identified by the bytes of its name and the number of earlier members with that name.
  private struct Occurrence: Hashable {
    let name: [UInt8]
    let number: Int

    static func of(_ members: [JSONMember]) -> [Occurrence] {
      var counts: [[UInt8]: Int] = [:]
      return members.map { member in
        let name = Array(member.name.utf8)
        let number = counts[name, default: 0]
        counts[name] = number + 1
        return Occurrence(name: name, number: number)
      }
    }
  }

  /// The path of a member through the renames and moves of one step.
  private struct Way {
    var origin: [String]
    var destination: [String]

    static func of(_ operations: [ModelOperation]) -> [Way] {
      var ways: [Way] = []
      for operation in operations {
        let (origin, destination): ([String], [String])
        switch operation {
        case .rename(let path, let name): (origin, destination) = (path.members, path.members.dropLast() + [name])
        case .move(let path, let place): (origin, destination) = (path.members, place.members)
        case .add, .remove, .retype, .wrap, .each: continue
        }
        if let index = ways.firstIndex(where: { ModelPath($0.destination) == ModelPath(origin) }) {
          ways[index].destination = destination
        } else {
          ways.append(Way(origin: origin, destination: destination))
        }
      }
      return ways
    }

    func join(_ changes: inout [ModelChange], _ before: JSONValue, _ after: JSONValue) {
      guard ModelPath(origin) != ModelPath(destination), let old = before[ModelPath(origin)],
        let new = after[ModelPath(destination)],
        let gone = changes.firstIndex(where: { $0.kind == .removed && ModelPath($0.path) == ModelPath(origin) }),
        let came = changes.firstIndex(where: { $0.kind == .added && destination.starts(with: $0.path) })
      else { return }
      let kind: Kind = origin.dropLast() == destination.dropLast() ? .renamed : .moved
      changes[gone] = ModelChange(kind, path: origin, destination: destination, before: old, after: new)
      // An object created on the way contains only this member, or others too.
      let inside = Array(destination.dropFirst(changes[came].path.count))
      guard !inside.isEmpty, var made = changes[came].after else {
        changes.remove(at: came)
        return
      }
      made.remove(at: ModelPath(inside))
      if Self.isHollow(made) { changes.remove(at: came) } else { changes[came].after = made }
    }

    private static func isHollow(_ value: JSONValue) -> Bool {
      var pending = [value]
      while let value = pending.popLast() {
        guard case .object(let members) = value else { return false }
        pending += members.map(\.value)
      }
      return true
    }
  }
}

package struct FieldModel: Hashable, Sendable {
  package var name: String
  package var version: Int?
  package var newest: Int

  package init(name: String, version: Int?, newest: Int) {
    self.name = name
    self.version = version
    self.newest = newest
  }
}

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

  /// - Throws: `StorageProblem`; the value may have changed, and must be discarded.
  package func callAsFunction(_ value: inout JSONValue) throws(StorageProblem) {
    var elements = Int.max
    try perform(on: &value, &elements)
  }

  /// - Parameter left: the most elements on which it may still run other operations. An operation can add elements for
  ///   the next one.
  func perform(on value: inout JSONValue, _ left: inout Int) throws(StorageProblem) {
    func problem(_ path: ModelPath, _ what: String) -> StorageProblem {
      StorageProblem("\(DisplayText.quoted(path.description)) \(what)")
    }
    let notObject = "would be in something that is not an object"
    switch self {
    case .add(let path, let new):
      if value[path] == nil, !value.set(new, at: path) { throw problem(path, notObject) }
    case .rename(let path, let name):
      guard value[path] != nil else { throw problem(path, "is not there") }
      guard path.members.last?.hasSameBytes(as: name) != true else { return }
      let new = ModelPath(path.members.dropLast() + [name])
      guard value[new] == nil else { throw problem(new, "is there already") }
      value.rename(path, to: name)
    case .remove(let path): value.remove(at: path)
    case .retype(let path, let kind, let otherwise):
      guard let old = value[path] else { return }
      guard let new = old.converted(to: kind) ?? otherwise else {
        throw problem(path, "is of type \(old.kind.rawValue) and cannot be said as \(kind.rawValue)")
      }
      value.set(new, at: path)
    case .move(let path, let destination):
      guard let moved = value[path] else { throw problem(path, "is not there") }
      guard path != destination else { return }
      guard value[destination] == nil else { throw problem(destination, "is there already") }
      value.remove(at: path)
      guard value.set(moved, at: destination) else { throw problem(destination, notObject) }
    case .wrap(let path, let name):
      if let old = value[path] { value.set(.object([JSONMember(name, old)]), at: path) }
    case .each(let path, let operations):
      guard let array = path.map({ value[$0] }) ?? value else { return }
      guard var elements = array.elements else {
        throw path.map { problem($0, "is not an array") } ?? StorageProblem("the data is not an array")
      }
      guard elements.count <= left else { throw StorageProblem("there are too many elements") }
      left -= elements.count
      for index in elements.indices {
        for operation in operations { try operation.perform(on: &elements[index], &left) }
      }
      if let path { value.set(.array(elements), at: path) } else { value = .array(elements) }
    }
  }

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

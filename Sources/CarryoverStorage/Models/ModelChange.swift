package import PropertyLists

/// What a step of a model did to one member, as it can be told to a person.
///
/// Names and places follow from the operations that are declared; of a coded step only the data before and after is known,
/// so that a member with another name is one that went and one that came.
package struct ModelChange: Hashable, Sendable {
  /// What was done. The raw value is the word in JSON output.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It was not there before.
    case added
    /// It is not there any more.
    case removed
    /// It has another name in the same place.
    case renamed
    /// It stands in another place.
    case moved
    /// It has another type.
    case retyped
    /// It has another value of the same type.
    case changed
  }

  /// What was done.
  package var kind: Kind
  /// Where it stood, or where it came; empty for the data as a whole.
  package var path: [String]
  /// Where it stands now; nil where that is the same place, or none.
  package var destination: [String]?
  /// What was there; nil for what was added.
  package var before: JSONValue?
  /// What is there now; nil for what was removed.
  package var after: JSONValue?

  /// A change from its parts.
  package init(
    _ kind: Kind, path: [String], destination: [String]? = nil, before: JSONValue? = nil, after: JSONValue? = nil
  ) {
    self.kind = kind
    self.path = path
    self.destination = destination
    self.before = before
    self.after = after
  }

  /// What was done between two values by some operations, in the order of the first value and then of the second.
  package static func between(
    _ before: JSONValue, _ after: JSONValue, by operations: [ModelOperation]
  ) -> [ModelChange] {
    var changes = JSONChange.between(before, after).map(ModelChange.init)
    for way in Way.of(operations) { way.join(&changes, before, after) }
    return changes
  }

  private init(_ change: JSONChange) {
    let kind: Kind =
      switch (change.before, change.after) {
      case (nil, _): .added
      case (_, nil): .removed
      case (let before?, let after?): before.kind == after.kind ? .changed : .retyped
      }
    self.init(kind, path: change.path, before: change.before, after: change.after)
  }

  /// The way a member goes by the renamings and movings of one step.
  private struct Way {
    var origin: [String]
    var destination: [String]

    /// Each member's way from its first place to its last.
    static func of(_ operations: [ModelOperation]) -> [Way] {
      var ways: [Way] = []
      for operation in operations {
        let (origin, destination): ([String], [String])
        switch operation {
        case .rename(let path, let name): (origin, destination) = (path.members, path.members.dropLast() + [name])
        case .move(let path, let place): (origin, destination) = (path.members, place.members)
        case .add, .remove, .retype, .wrap, .each: continue
        }
        if let index = ways.firstIndex(where: { $0.destination == origin }) {
          ways[index].destination = destination
        } else {
          ways.append(Way(origin: origin, destination: destination))
        }
      }
      return ways
    }

    /// Makes one change of what went at the beginning of the way and what came at its end.
    func join(_ changes: inout [ModelChange], _ before: JSONValue, _ after: JSONValue) {
      guard origin != destination, let old = before[ModelPath(origin)], let new = after[ModelPath(destination)],
        let gone = changes.firstIndex(where: { $0.kind == .removed && $0.path == origin }),
        let came = changes.firstIndex(where: { $0.kind == .added && destination.starts(with: $0.path) })
      else { return }
      let kind: Kind = origin.dropLast() == destination.dropLast() ? .renamed : .moved
      changes[gone] = ModelChange(kind, path: origin, destination: destination, before: old, after: new)
      // An object that was made on the way is there for the member alone, or for others too.
      let inside = Array(destination.dropFirst(changes[came].path.count))
      guard !inside.isEmpty, var made = changes[came].after else {
        changes.remove(at: came)
        return
      }
      made.remove(at: ModelPath(inside))
      if Self.isHollow(made) { changes.remove(at: came) } else { changes[came].after = made }
    }

    /// Whether a value is an object with nothing but such objects in it.
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

/// What is known of the model in a field: which it is, and the version of its data.
package struct FieldModel: Hashable, Sendable {
  /// The model's name.
  package var name: String
  /// The version of the legacy data; nil where there is none or it cannot be told.
  package var version: Int?
  /// The newest version there is a way to.
  package var newest: Int

  /// What is known, from its parts.
  package init(name: String, version: Int?, newest: Int) {
    self.name = name
    self.version = version
    self.newest = newest
  }
}

import CarryoverSystem
import PropertyLists

/// A place where versions of the SDK store data that the recipe does not read.
package struct Elsewhere: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// Files, relative to the app's data container.
    case files(NameTemplate)
    /// Keys in a suite.
    case keys([Glob], suite: NameTemplate)
  }

  package var place: Place
  /// What the recipe does not do, as a sentence.
  package var reason: String

  /// A place from its parts.
  package init(_ place: Place, because reason: String) {
    self.place = place
    self.reason = reason
  }

  /// The place as in the documentation.
  package var words: String {
    switch place {
    case .files(let path): path.words
    case .keys(let keys, let suite): "\(keys.map(\.pattern).joined(separator: ", ")) in \(suite.words)"
    }
  }

  /// The files that a container's opening finds only because the recipe names them.
  var files: [StoreFile] { paths.map { StoreFile($0, isSign: true) } }

  /// The paths of its files. Devices name the folders of app groups differently from backups.
  private var paths: [NameTemplate] {
    guard case .files(let path) = place else { return [] }
    guard path.parts.prefix(1) == ["AppGroups/"] else { return [path] }
    return [path, NameTemplate(["Shared/AppGroup/"] + path.parts.dropFirst())]
  }

  /// The place with values in place of parameters.
  func filled(_ template: (NameTemplate) -> NameTemplate) -> Elsewhere {
    switch place {
    case .files(let path): Elsewhere(.files(template(path)), because: reason)
    case .keys(let keys, let suite): Elsewhere(.keys(keys, suite: template(suite)), because: reason)
    }
  }

  /// The files and keys of a container that are in the place, by name.
  fileprivate func found(
    in container: Container, besides target: RecipeTarget, except isRead: (String) -> Bool
  ) -> [String] {
    switch place {
    case .files:
      let data = container.dataPath("").utf8
      return container.signs.filter { path in
        guard path.utf8.starts(with: data), !isRead(path) else { return false }
        let inside = Substring(path.utf8.dropFirst(data.count))
        guard paths.contains(where: { $0.matches(inside) }), !target.isNamed(inside) else { return false }
        // An SDK that has moved its values leaves the file without any.
        return container.store(path)?.entries.isEmpty != true
      }
    case .keys(let keys, let suite):
      let entries = container.path(ofSuite: suite).flatMap(container.store)?.entries ?? []
      return Set(bytesOf: entries.map(\.key).filter { key in keys.contains { $0.matches(key) } && !isRead(key) })
        .sorted().map(\.text)
    }
  }
}

extension NameTemplate.Part {
  /// Any text in a part of a path.
  package static let any = NameTemplate.Part.parameter("*")
}

/// Files or keys of the SDK in a container that the recipe does not read, and why, as a sentence.
package struct UnreadPlace: Hashable, Sendable {
  package var names: [String]
  package var reason: String
}

extension Recipe {
  /// Where a container has data of the SDK that the recipe does not read.
  package func unreadPlaces(in container: Container) -> [UnreadPlace] {
    guard !elsewhere.isEmpty else { return [] }
    let paths = Set(bytesOf: LegacySources.places(self, container, values).map(\.path))
    let known = knownKeys.union(bytesOf: rules.map(\.target))
    return elsewhere.compactMap { place in
      let names = place.found(in: container, besides: target) { known.contains($0) || paths.contains($0) || isOwn($0) }
      return names.isEmpty ? nil : UnreadPlace(names: names, reason: place.reason)
    }
  }

  /// Whether a key has values in place of the parameters of a key that the recipe knows.
  private func isOwn(_ key: String) -> Bool {
    parameters.contains { parameter in
      knownKeys.union(bytesOf: rules.map(\.target)).contains { known in
        known.text.contains(parameter.place)
          && KeyPattern(known.text).text(in: key).map(parameter.accepts) ?? false
      }
    }
  }
}

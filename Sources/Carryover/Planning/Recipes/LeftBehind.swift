import CarryoverSystem
import PropertyLists

/// Legacy keys that are not migrated by design, or a file.
package struct LeftBehind: Hashable, Sendable {
  /// The key; with a `*` at its end, all keys that begin with the text before it. For a file, its path as the recipe
  /// writes it.
  package var key: String
  package var reason: String
  /// Whether its value is a secret that no output may show.
  package var secret: Bool
  /// The event at the time in the value; nil if the value is not a time.
  package var moment: String?
  /// The file, relative to the app's data container; nil for keys.
  package var file: NameTemplate?

  package init(_ key: String, because reason: String, secret: Bool = false, moment: String? = nil) {
    self.key = key
    self.reason = reason
    self.secret = secret
    self.moment = moment
  }

  package init(_ path: String, file: NameTemplate, because reason: String) {
    self.init(path, because: reason)
    self.file = file
  }

  /// Whether it is a key of a container, in which a `*` is only a character.
  private(set) var isLiteral = false

  init(literal key: String, because reason: String) {
    self.init(key, because: reason)
    isLiteral = true
  }

  /// The beginning of the keys; nil for a single key or a file.
  package var prefix: String? { file == nil && !isLiteral && key.hasSuffix("*") ? String(key.dropLast()) : nil }
  var isKey: Bool { file == nil && prefix == nil }

  /// Whether a plan lists a key or a file of this name because of it.
  package func matches(_ name: String) -> Bool {
    if let file { return file.matches(name) }
    return prefix.map(name.beginsWithBytes) ?? name.hasSameBytes(as: key)
  }
}

/// Rules for what is not migrated, by key: an expanded recipe may have one for each key of a container.
package struct LeftBehindIndex {
  private let rules: [LeftBehind]
  private let keys: [StringByBytes: Int]
  /// The places of the rules for several keys and for files, of which a recipe has few.
  private let patterns: [Int]

  package init(_ rules: [LeftBehind]) {
    self.rules = rules
    keys = Dictionary(firstOf: rules.enumerated().filter(\.element.isKey).map { ($0.element.key, $0.offset) })
    patterns = rules.indices.filter { !rules[$0].isKey }
  }

  package func first(for name: String) -> LeftBehind? {
    [keys[name], patterns.first { rules[$0].matches(name) }].compactMap(\.self).min().map { rules[$0] }
  }
}

/// A place where versions of the SDK store data that the recipe does not read.
package struct Elsewhere: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// Files, relative to the app's data container.
    case files(NameTemplate)
    case keys([Glob], suite: NameTemplate)
  }

  package var place: Place
  package var reason: String

  package init(_ place: Place, because reason: String) {
    self.place = place
    self.reason = reason
  }

  package var words: String {
    switch place {
    case .files(let path): path.words
    case .keys(let keys, let suite): "\(keys.map(\.pattern).joined(separator: ", ")) in \(suite.words)"
    }
  }

  /// How many patterns each name in a container is compared with.
  package var patternCount: Int { if case .keys(let keys, _) = place { keys.count } else { 1 } }

  var files: [StoreFile] { paths.map { StoreFile($0, isSign: true) } }

  /// The paths of its files. Devices name the folders of app groups differently from backups.
  private var paths: [NameTemplate] {
    guard case .files(let path) = place else { return [] }
    guard path.parts.prefix(1) == ["AppGroups/"] else { return [path] }
    return [path, NameTemplate(["Shared/AppGroup/"] + path.parts.dropFirst())]
  }

  func filled(_ template: (NameTemplate) -> NameTemplate) -> Elsewhere {
    switch place {
    case .files(let path): Elsewhere(.files(template(path)), because: reason)
    case .keys(let keys, let suite): Elsewhere(.keys(keys, suite: template(suite)), because: reason)
    }
  }

  fileprivate func suite(in container: Container) -> String? {
    if case .keys(_, let suite) = place { container.path(ofSuite: suite) } else { nil }
  }

  fileprivate func found(
    in container: Container, besides target: RecipeTarget, except isRead: (String) -> Bool
  ) -> [String] {
    switch place {
    case .files:
      let data = container.dataPath("").utf8
      return container.signs.filter { path in
        guard path.utf8.starts(with: data) else { return false }
        let inside = String(decoding: path.utf8.dropFirst(data.count), as: UTF8.self)
        guard paths.contains(where: { $0.matches(inside) }), !isRead(path), !target.isNamed(inside) else {
          return false
        }
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

package struct UnreadPlace: Hashable, Sendable {
  package var names: [String]
  /// The file with the keys, which the names are; nil if these are files.
  package var suite: String?
  package var reason: String
}

extension Recipe {
  package func unreadPlaces(in container: Container) -> [UnreadPlace] {
    guard !elsewhere.isEmpty else { return [] }
    // Most containers have no such file or key.
    lazy var paths = Set(bytesOf: LegacySources.places(self, container, values).map(\.path))
    lazy var known = knownKeys.union(bytesOf: rules.map(\.target))
    return elsewhere.compactMap { place in
      let names = place.found(in: container, besides: target) { known.contains($0) || paths.contains($0) || isOwn($0) }
      return names.isEmpty ? nil : UnreadPlace(names: names, suite: place.suite(in: container), reason: place.reason)
    }
  }

  /// Whether a key has values in place of the parameters of a key that the recipe knows.
  private func isOwn(_ key: String) -> Bool {
    parameters.contains { parameter in
      knownKeys.union(bytesOf: rules.map(\.target)).contains { known in
        known.text.contains(parameter.place) && KeyPattern(known.text).text(in: key).map(parameter.accepts) ?? false
      }
    }
  }
}

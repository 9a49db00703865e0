import CarryoverSystem
public import PropertyLists

/// How the version of stored data is told: by a marker in the data, by a number beside it, or by the members it must and
/// must not have. Where there are several, they count in this order, and a version whose members contradict it is an error.
///
/// A number beside the data counts whether it is declared or not: where one is stored under the data's name and
/// `_schema_version`, the data is of that version.
public struct ModelVersioning: Hashable, Sendable {
  /// The outermost member that holds the version, as a whole number; nil for data without one. It is written in the same
  /// write as the data.
  package var marker: String?
  /// Where the version is beside the data; nil where it is not kept there. It changes together with the data, although it
  /// is another write: a note beside both says which data is of which version until both are written.
  package var beside: ModelVersionKey?
  /// The version of data without a marker and without a number beside it, where that is known; nil where the members tell.
  package var unmarked: Int?
  /// What data of each version looks like.
  package var shapes: [Int: ModelShape]
  /// Whether the model is an array.
  package private(set) var isOfElements = false

  /// Tells the version by a marker in the data, and by the members if there is no marker.
  public init(marker: String, unmarked: Int? = nil, shapes: [Int: ModelShape] = [:]) {
    self.marker = marker
    self.unmarked = unmarked
    self.shapes = shapes
  }

  /// Tells the version by the members alone.
  public init(shapes: [Int: ModelShape]) { self.shapes = shapes }

  /// By a whole number beside the data, under a name of its own.
  ///
  /// When an app stores a model for the first time, it must store this number too, with ``ByteStore/setInteger(_:for:)``:
  /// data without one has the version `unmarked`, unless the shapes contradict that.
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

  /// The version of some data.
  /// - Parameter beside: the version that is stored beside it; nil where there is none.
  /// - Throws: ``ModelVersionError`` where it cannot be told for certain.
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

  /// The version of a model that is one object, or of one of several.
  private func single(_ value: JSONValue, _ beside: Int?) throws(ModelVersionError) -> Int {
    if let marker, let marked = value[marker] {
      guard value.members?.allSatisfy({ !$0.name.utf8.elementsEqual(marker.utf8) || $0.value == marked }) == true else {
        throw .severalMarkers(marker)
      }
      guard let version = marked.numberValue?.int64.flatMap(Int.init(exactly:)), version >= 0 else {
        throw .badMarker(marker)
      }
      // Taking data for older than it is would migrate it twice.
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

/// The name that the version of data is stored under, in the same store, as a whole number.
public enum ModelVersionKey: Hashable, Sendable {
  /// The data's name and `_schema_version`.
  case schemaVersion
  /// The data's name, and this behind it.
  case suffix(String)
  /// A name of its own.
  case named(String)

  /// The name for data under a name.
  package func name(for data: String) -> String {
    switch self {
    case .schemaVersion: data + "_schema_version"
    case .suffix(let suffix): data + suffix
    case .named(let name): name
    }
  }
}

/// The members that tell a version: data is of it exactly if all of the first are there and none of the second.
public struct ModelShape: Hashable, Sendable {
  /// The places where there must be a value.
  package var required: Set<ModelPath>
  /// The places where there must be none.
  package var forbidden: Set<ModelPath>

  /// A shape from its members.
  public init(required: Set<ModelPath>, forbidden: Set<ModelPath> = []) {
    self.required = required
    self.forbidden = forbidden
  }

  /// Whether some data looks like this.
  package func matches(_ value: JSONValue) -> Bool {
    (value.elements ?? [value]).allSatisfy { value in
      required.allSatisfy { value[$0] != nil } && forbidden.allSatisfy { value[$0] == nil }
    }
  }

  /// Whether no data can look like both.
  func excludes(_ other: ModelShape) -> Bool {
    !required.isDisjoint(with: other.forbidden) || !forbidden.isDisjoint(with: other.required)
  }
}

/// Why the version of some data cannot be told.
public enum ModelVersionError: Error, Hashable, Sendable {
  /// The data is of this type, and a model is an object.
  case notAnObject(JSONKind)
  /// The data is of this type, and the model is an array.
  case notAnArray(JSONKind)
  /// The marker is there and is no whole number from 0 on.
  case badMarker(String)
  /// The marker is there more than once and says several things; readers differ in which one they take.
  case severalMarkers(String)
  /// The marker says this version, and the data does not look like it.
  case markerContradicted(Int)
  /// The marker says one version, and the number beside the data a later one.
  case besideNewer(marked: Int, beside: Int)
  /// The data looks like no known version.
  case noMatch
  /// The data looks like several versions.
  case several([Int])
  /// The number that is stored beside the data, under this name, is below 0.
  case badNumber(String)
  /// A migration was cut off between the data and the number beside it, under this name, and somebody has changed the data
  /// since: the number may be that of the old data or of the new.
  case changedSince(String)
}

extension ModelVersionError: CustomStringConvertible, Described {
  /// What is wrong, without values.
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

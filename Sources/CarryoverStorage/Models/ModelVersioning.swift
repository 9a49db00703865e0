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

  /// The name for data under a name.
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

import CarryoverSystem
public import PropertyLists

/// The versions of one model and the steps between them. The initializer checks the whole history.
///
/// See <doc:WriteAModelMigration>.
///
/// A migrator runs every step from the data's version on, in order, in memory. A ``ModelMigration`` reads and writes
/// the data.
///
/// ## Topics
/// ### Creating a migrator
/// - ``init(model:version:versioning:steps:)``
/// - ``ModelStep``
/// - ``ModelOperation``
/// - ``ModelVersioning``
/// ### Data in memory
/// - ``versions``
/// - ``upTo(_:)``
/// - ``migrated(_:beside:)``
/// ### Data in stores
/// - ``ModelMigration``
/// - ``ModelMigrations``
public struct ModelMigrator: Sendable {
  /// The model's name, in errors and reports.
  package let model: String
  /// The newest version: that of the type in use.
  package let version: Int
  /// How to recognise the version of data.
  package let versioning: ModelVersioning
  /// The steps, from the oldest version to the newest, one after the other.
  package let steps: [ModelStep]

  /// The versions of data that the migrator accepts: from the first step's version to the newest.
  public var versions: ClosedRange<Int> { oldest...version }

  package var oldest: Int { version - steps.count }

  /// Creates a model's history.
  /// - Parameters:
  ///   - model: the model's name, in errors and reports.
  ///   - version: the newest version.
  ///   - versioning: how to recognise the version of data.
  ///   - steps: the steps, in any order.
  /// - Throws: ``ModelChainError`` if the history is not valid: for example, a step is missing, two steps start from
  ///   one version, or two versions cannot be distinguished.
  public init(
    model: String, version: Int, versioning: ModelVersioning, steps: [ModelStep]
  ) throws(ModelChainError) {
    self.model = model
    self.version = version
    self.versioning = versioning
    self.steps = steps.sorted { $0.from < $1.from }
    if let problem = Self.problem(version, self.steps, versioning) {
      throw ModelChainError(model: model, problem: problem)
    }
  }

  /// The same history up to an earlier version, as in an app of that version. It refuses newer data.
  /// - Throws: ``ModelChainError`` if the history does not have this version.
  public func upTo(_ version: Int) throws(ModelChainError) -> ModelMigrator {
    guard versions.contains(version) else { throw ModelChainError(model: model, problem: .noVersion(version)) }
    return ModelMigrator(
      sound: model, version: version, versioning: versioning, steps: steps.filter { $0.to <= version })
  }

  /// Creates a history that is known to be valid.
  package init(sound model: String, version: Int, versioning: ModelVersioning, steps: [ModelStep]) {
    self.model = model
    self.version = version
    self.versioning = versioning
    self.steps = steps
  }

  private static func problem(
    _ version: Int, _ steps: [ModelStep], _ versioning: ModelVersioning
  ) -> ModelChainError.Problem? {
    if version < 0 || (steps.first?.from ?? 0) < 0 { return .negative }
    if let last = steps.last, last.from >= version { return .beyond(version: version, step: last.from) }
    for (step, next) in zip(steps, steps.dropFirst()) {
      if step.from == next.from { return .duplicate(from: step.from) }
      if step.to != next.from { return .gap(from: step.to) }
    }
    if let last = steps.last, last.to != version { return .gap(from: last.to) }
    let known = (version - steps.count)...version
    if let stray = versioning.shapes.keys.sorted().first(where: { !known.contains($0) }) { return .strayShape(stray) }
    if let unmarked = versioning.unmarked, !known.contains(unmarked) { return .strayShape(unmarked) }
    if versioning.unmarked == nil,
      versioning.marker == nil && versioning.beside == nil || !versioning.shapes.isEmpty,
      let missing = known.first(where: { versioning.shapes[$0] == nil })
    {
      return .noShape(missing)
    }
    let shapes = versioning.shapes.sorted { $0.key < $1.key }
    for (index, one) in shapes.enumerated() {
      for other in shapes[(index + 1)...] where !one.value.excludes(other.value) {
        return .indistinguishable(one.key, other.key)
      }
    }
    return nil
  }
}

/// Why a model's history is not valid. Creating the migrator throws it, before any data is read.
public struct ModelChainError: Error, Hashable, Sendable {
  /// What is wrong. Later versions may add cases.
  public enum Problem: Hashable, Sendable {
    /// A version is below 0.
    case negative
    /// Two steps start from the same version.
    case duplicate(from: Int)
    /// No step starts from this version, although the history needs one.
    case gap(from: Int)
    /// A step starts from the newest version or a later one.
    case beyond(version: Int, step: Int)
    /// A shape, or the version of data without a marker, is outside the history.
    case strayShape(Int)
    /// The history has no such version.
    case noVersion(Int)
    /// No shape is declared for this version.
    case noShape(Int)
    /// Data may match both versions: neither requires what the other forbids.
    case indistinguishable(Int, Int)
    /// The version is beside the data, and the model is read through a `StorageSerializer`, which gets only the data.
    case besideOnly
  }

  /// The model's name.
  public var model: String
  /// What is wrong.
  public var problem: Problem

  package init(model: String, problem: Problem) {
    self.model = model
    self.problem = problem
  }
}

extension ModelChainError: CustomStringConvertible, Described {
  /// What is wrong and what to do.
  package var words: String {
    "The model \(DisplayText.quoted(model)) cannot be migrated: \(explanation)."
  }

  private var explanation: String {
    switch problem {
    case .negative: "versions are counted from 0"
    case .duplicate(let from): "two steps start from version \(from); keep the one that was shipped"
    case .gap(let from): "no step leads from version \(from) to \(from + 1); add it"
    case .beyond(let version, let step): "a step starts from version \(step), and the newest is \(version); raise it"
    case .strayShape(let version): "no step leads on from version \(version), whose data is described; add the steps"
    case .noVersion(let version): "it has no version \(version); choose one that it has"
    case .noShape(let version): "nothing says what data of version \(version) looks like; declare its members"
    case .indistinguishable(let one, let other):
      "data could be of version \(one) and of \(other); forbid in one of them what the other requires"
    case .besideOnly:
      "its version is beside the data, which a serialiser does not get; put a marker into the data, or declare the members"
        + " of each version"
    }
  }
}

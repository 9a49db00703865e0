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
  package let model: String
  package let version: Int
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
  public init(model: String, version: Int, versioning: ModelVersioning, steps: [ModelStep]) throws(ModelChainError) {
    self.init(sound: model, version: version, versioning: versioning, steps: steps.sorted { $0.from < $1.from })
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

  package struct Stage: Sendable, CustomStringConvertible, CustomReflectable {
    package var from: Int
    package var title: String
    /// The data after the step, as an app of that version would have stored it.
    package var value: JSONValue
    package var changes: [ModelChange]

    package var description: String {
      "\(from) → \(from + 1): \(DisplayText.harmless(title))" + changes.map { "\n  \($0)" }.joined()
    }

    package var customMirror: Mirror { Mirror(self, children: ["from": from, "title": title, "changes": changes]) }
  }

  /// Migrates data to the newest version: runs every step from the data's version on, in order, and sets the marker, if
  /// there is one. Returns data of the newest version unchanged.
  /// - Parameter beside: the version that is stored beside the data; nil if there is none.
  /// - Throws: ``ModelError`` if the data's version is unknown, newer than this migrator's or older than its first
  ///   step, if a step fails, or if its result does not have the members of its version.
  public func migrated(_ value: JSONValue, beside: Int? = nil) throws(ModelError) -> JSONValue {
    try trace(value, beside: beside).last?.value ?? value
  }

  /// The result of each step, from the data's version to the newest; empty for data of the newest version. Every step
  /// runs once.
  ///
  /// While a step runs, a marker in the data has the version that the step starts from; afterwards, it has the next
  /// version. Data without a marker gets it with the last step.
  package func trace(_ value: JSONValue, beside: Int? = nil) throws(ModelError) -> [Stage] {
    var stages: [Stage] = []
    try trace(value, beside: beside) { stage in
      stages.append(stage)
      return true
    }
    return stages
  }

  /// The same, one result at a time.
  /// - Parameter body: takes a result, and says whether to go on.
  package func trace(_ value: JSONValue, beside: Int? = nil, _ body: (Stage) -> Bool) throws(ModelError) {
    let found = try version(of: value, beside: beside)
    var value = value
    for step in steps where step.from >= found {
      let before = value
      do {
        try step.body(&value)
      } catch {
        value.dismantle()
        throw ModelError(model: model, reason: .stepFailed(from: step.from, title: step.title), cause: error)
      }
      let limit = JSONLimits.default.depth
      if value.isDeeper(than: limit) {
        value.dismantle()
        throw ModelError(model: model, reason: .stepTooDeep(from: step.from, title: step.title, limit: limit))
      }
      let isReadable = versioning.isOfElements ? value.elements != nil : value.members != nil
      guard isReadable, versioning.shapes[step.to]?.matches(value) != false,
        versioning.marker.map({ value.mark($0, step.to, always: step.to == version) }) != false
      else { throw ModelError(model: model, reason: .stepMissed(from: step.from, title: step.title)) }
      let stage = Stage(from: step.from, title: step.title, value: value, changes: ModelChange.between(before, value))
      guard body(stage) else { return }
    }
  }

  /// - Throws: ``ModelError`` if the version is unknown, newer than this migrator's, or older than its first step.
  package func version(of value: JSONValue, beside: Int? = nil) throws(ModelError) -> Int {
    // Without a number beside it, an empty array has no version, and nothing that a step could change.
    let isNumbered = beside != nil || versioning.beside != nil && versioning.unmarked != nil
    if versioning.isOfElements, !isNumbered, value.elements?.isEmpty == true { return version }
    let found = try converting(try versioning.version(of: value, beside: beside)) { (error: ModelVersionError) in
      ModelError(model: model, reason: .unknownVersion(error), cause: error)
    }
    if found > version { throw ModelError(model: model, reason: .newer(found: found, known: version)) }
    if found < oldest { throw ModelError(model: model, reason: .tooOld(found: found, oldest: oldest)) }
    return found
  }
}

/// Why a model's history is not valid. Creating the migrator throws it, before any data is read.
public struct ModelChainError: Error, Hashable, Sendable, CustomStringConvertible, Described {
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

  package var words: String { "The model \(DisplayText.quoted(model)) cannot be migrated: \(explanation)." }

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

extension JSONValue {
  /// Writes the version into an object, or into each element of an array.
  /// - Parameter isAlways: whether to add the marker to objects that do not have it.
  /// - Returns: false if something is not an object.
  mutating func mark(_ marker: String, _ version: Int, always isAlways: Bool) -> Bool {
    guard var elements else { return !isAlways && self[marker] == nil || set(version.json, at: [marker]) }
    for index in elements.indices where isAlways || elements[index][marker] != nil {
      guard elements[index].set(version.json, at: [marker]) else { return false }
    }
    self = .array(elements)
    return true
  }
}

/// Why data could not be migrated. Nothing was written.
public struct ModelError: Error, Sendable, CustomStringConvertible, Described {
  /// A reason for the failure.
  public enum Reason: Hashable, Sendable {
    /// The version of the data is unknown.
    case unknownVersion(ModelVersionError)
    /// The data is from a later version of the app.
    case newer(found: Int, known: Int)
    /// The data is older than the first step.
    case tooOld(found: Int, oldest: Int)
    /// A step failed; the cause says why.
    case stepFailed(from: Int, title: String)
    /// The result of a step does not have the members of its version.
    case stepMissed(from: Int, title: String)
    /// The result of a step nests deeper than the limit, so it could not be read again.
    case stepTooDeep(from: Int, title: String, limit: Int)
  }

  package var model: String
  /// The reason for the failure.
  public var reason: Reason
  /// The underlying error.
  public var cause: (any Error)?

  package var words: String {
    let name = DisplayText.quoted(model)
    switch reason {
    case .unknownVersion(let error):
      return "The version of \(name) cannot be determined: \(error). Look at the stored data; nothing was written."
    case .newer(let found, let known):
      return "\(name) is in version \(found), and this app knows versions up to \(known). Update the app; nothing was"
        + " written."
    case .tooOld(let found, let oldest):
      return
        "\(name) is in version \(found), and the steps begin at version \(oldest). Add the older steps; nothing was"
        + " written."
    case .stepFailed(let from, let title):
      return
        "\(name) could not be migrated from version \(from) to \(from + 1) (\(title)):"
        + " \(cause.map { ErrorText.withoutValues($0) } ?? "?")."
        + " Nothing was written."
    case .stepMissed(let from, let title):
      return "The step of \(name) from version \(from) (\(title)) made data without the members of version \(from + 1)."
        + " Fix the step; nothing was written."
    case .stepTooDeep(let from, let title, let limit):
      return "The step of \(name) from version \(from) (\(title)) made data that nests deeper than \(limit) levels, and"
        + " could not be read again. Fix the step; nothing was written."
    }
  }
}

/// A step of a model's history, from one version to the next. It works on the data itself, so you do not need the types
/// of old versions. Never change a released step.
public struct ModelStep: Sendable {
  package let from: Int
  package let title: String
  /// The declared operations; empty for a step in code.
  package let operations: [ModelOperation]
  let body: @Sendable (inout JSONValue) throws -> Void

  /// Creates a step of declared operations, which run in order.
  /// - Parameter title: what the step does; by default, the titles of its operations.
  public init(from: Int, _ operations: [ModelOperation], title: String? = nil) {
    self.init(from: from, operations, title: title, onAtMost: .max)
  }

  /// Creates a step of declared operations from a recipe, which a stranger may have written.
  /// - Parameter elements: the most elements on which the step runs operations.
  package init(from: Int, _ operations: [ModelOperation], title: String?, onAtMost elements: Int) {
    self.from = from
    self.operations = operations
    self.title = title ?? operations.map(\.title).joined(separator: "; ")
    body = { value in
      var left = elements
      for operation in operations { try operation.perform(on: &value, &left) }
    }
  }

  /// Creates a step in code.
  /// - Parameter body: changes the data in place. An error that it throws stops the migration before anything is
  ///   written, and is the cause of the ``ModelError``.
  public init(from: Int, _ title: String, body: @escaping @Sendable (inout JSONValue) throws -> Void) {
    self.from = from
    self.title = title
    operations = []
    self.body = body
  }

  package var to: Int { from < Int.max ? from + 1 : from }
}

package import CarryoverStorage
import CarryoverSystem

/// A versioned model in a recipe: its history, which migrates data of any version to the newest. Steps may be code,
/// which cannot be compared: two rules are equal if their model, versions and step titles are. A shipped step never
/// changes.
package struct ModelRule: Hashable, Sendable {
  package let migrator: ModelMigrator

  package init(_ migrator: ModelMigrator) { self.migrator = migrator }

  package var title: String { "\(migrator.model) in version \(migrator.version)" }

  package static func == (left: Self, right: Self) -> Bool {
    left.migrator.model == right.migrator.model && left.migrator.version == right.migrator.version
      && left.migrator.versioning == right.migrator.versioning
      && left.migrator.steps.map(\.title) == right.migrator.steps.map(\.title)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(migrator.model)
    hasher.combine(migrator.version)
  }

  func model(in value: PropertyListValue?) -> FieldModel {
    let json = value?.jsonText.flatMap { try? JSONText($0).value }
    let version = json.flatMap { try? migrator.versioning.version(of: $0) }
    return FieldModel(name: migrator.model, version: version, newest: migrator.version)
  }

  /// The result of each step, with the same property-list type; none if the value has the newest version.
  /// - Parameter beside: the stored version beside the data.
  func stages(
    of value: PropertyListValue, beside: PropertyListValue? = nil, _ key: String = "",
    within budget: StepBudget = StepBudget()
  ) throws(TransformFailure) -> [TransformStep] {
    guard value.kind == .string || value.kind == .data else { throw .model(.corrupt(.kind(value.kind))) }
    guard let text = value.jsonText else { throw .model(.corrupt(.notText)) }
    let json = try converting(try JSONText(text)) { (error: JSONError) in
      TransformFailure.model(.corrupt(.json(error)))
    }
    var stored: Int?
    if let beside {
      if case .integer(let number) = beside { stored = number.int64.flatMap(Int.init(exactly:)) }
      let isMarked = migrator.versioning.marker.flatMap { json.value[$0] } != nil
      // A field changes one key. The data would no longer match the stored version.
      guard let stored, isMarked || stored == migrator.version else {
        let name = DisplayText.quoted(ModelVersionKey.schemaVersion.name(for: key))
        throw .model(.unknownVersion("it is stored in \(name), which this recipe does not change"))
      }
    }
    let operations = Dictionary(
      migrator.steps.map { ($0.from, $0.operations) }, uniquingKeysWith: { first, _ in first })
    var before = json.value
    var steps: [TransformStep] = []
    var isTooMuch = false
    do {
      try migrator.trace(json.value, beside: stored) { stage in
        isTooMuch = !budget.takes(stage.value, changes: stage.changes.count)
        guard !isTooMuch else { return false }
        steps.append(
          TransformStep(
            from: stage.from, stage.title, result: value.holding(stage.value.text()),
            changes: ModelChange.between(before, stage.value, by: operations[stage.from] ?? [])))
        before = stage.value
        return true
      }
    } catch {
      throw .model(ModelDefect(error))
    }
    if isTooMuch { throw .tooMuch }
    if json.hasLoneSurrogate, !steps.isEmpty { throw .model(.corrupt(.loneSurrogate)) }
    return steps
  }
}

package enum ModelDefect: Hashable, Sendable {
  case corrupt(ModelCorruption)
  /// Its version is unknown; the reason is a part of a sentence.
  case unknownVersion(String)
  case newer(found: Int, known: Int)
  case step(from: Int, title: String, because: String)

  init(_ error: ModelError) {
    switch error.reason {
    case .unknownVersion(let reason): self = .unknownVersion(reason.description)
    case .tooOld(let found, let oldest):
      self = .unknownVersion("it is in version \(found), but the steps begin at version \(oldest)")
    case .newer(let found, let known): self = .newer(found: found, known: known)
    case .stepFailed(let from, let title):
      self = .step(from: from, title: title, because: error.cause.map { ErrorText.withoutValues($0) } ?? "it failed")
    case .stepMissed(let from, let title):
      self = .step(from: from, title: title, because: "its result lacks members of version \(from + 1)")
    case .stepTooDeep(let from, let title, let limit):
      self = .step(from: from, title: title, because: "its result nests deeper than \(limit) levels")
    }
  }
}

extension PropertyListValue {
  /// The text of a string, or of data in UTF-8, which may be JSON; nil for other values.
  package var jsonText: String? {
    switch self {
    case .string(let text): text
    case .data(let bytes): String(utf8: bytes)
    default: nil
    }
  }

  func holding(_ text: String) -> PropertyListValue {
    if case .data = self { .data(Array(text.utf8)) } else { .string(text) }
  }
}

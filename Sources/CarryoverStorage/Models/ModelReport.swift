import CarryoverSystem
public import Observation
public import PropertyLists

package struct ReportedStep: Hashable, Sendable {
  package var from: Int
  package var title: String
  package var changes: [ModelChange]
}

/// What a model's migration found and did.
public struct ModelReport<Value>: CustomStringConvertible, CustomReflectable, Described {
  /// The decoded value; nil if nothing is stored.
  public var value: Value?
  /// The version before the migration; nil if nothing is stored.
  public var from: Int?
  /// The version after the migration; nil if nothing is stored.
  public var to: Int?
  package var stages: [ReportedStep]
  /// The backup of the old data; nil if nothing was written.
  public var backup: ModelBackup?

  /// The title of each step that ran, in order; empty if the data was in the newest version.
  public var steps: [String] { stages.map(\.title) }
  /// Whether anything was written.
  public var hasWritten: Bool { backup != nil }

  // Printed reports end up in logs. They name places and types but contain none of a user's values: neither in
  // `description` nor through reflection, which `print` and `dump` use for a type without one.

  package var words: String {
    guard let from, let to else { return "Nothing is stored." }
    guard let backup else { return "The data is in version \(to); nothing was written." }
    let lines = stages.flatMap { step in
      ["\n\(step.from) → \(step.from + 1): \(DisplayText.harmless(step.title))"] + step.changes.map { "\n  \($0)" }
    }
    return "Version \(from) → \(to); the old data is kept as \(DisplayText.quoted(backup.name))." + lines.joined()
  }

  /// The versions, the steps and the backup, without the value.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "hasValue": value != nil, "from": from as Any, "to": to as Any, "steps": stages, "backup": backup as Any,
      ])
  }
}

extension ModelReport: Sendable where Value: Sendable {}

/// The state of a model's data.
public enum ModelState: Sendable {
  /// There is no data.
  case nothingStored
  /// The data is in the newest version.
  case current
  /// The data is in an older version.
  case pending(from: Int, to: Int)
  /// The data cannot be migrated, for this reason.
  case failed(ModelMigrationError)
}

/// An event of a model's migration.
public enum ModelEvent: Sendable {
  /// Older data was found.
  case began(from: Int, to: Int)
  /// A step ran, in memory.
  case stepped(from: Int, title: String)
  /// The old data was backed up.
  case backedUp(ModelBackup)
  /// The migration succeeded. Both versions are nil if nothing is stored, and equal if there was nothing to migrate.
  case ended(from: Int?, to: Int?)
  /// The migration failed. The old data is in place unless the error says otherwise.
  case failed(ModelMigrationError)
}

/// A backup of a model's data.
public struct ModelBackup: Hashable, Sendable {
  package let name: String
  /// The version of the data; nil if a restoration backed it up and no version is stored beside it.
  public let version: Int?
  package let checksum: String

  /// - Parameter number: the number among the backups with the same checksum, from 1.
  init(of data: String, version: Int?, checksum: String, number: Int = 1) {
    let counted = number > 1 ? "-\(number)" : ""
    name = "\(NameStem.of(data)).backup-\(version.map { "v\($0)" } ?? "aside")-\(checksum)\(counted)"
    self.version = version
    self.checksum = checksum
  }

  init?(name: String, of data: String) {
    let prefix = NameStem.of(data) + ".backup-"
    guard name.hasPrefix(prefix) else { return nil }
    let parts = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 || parts.count == 3 else { return nil }
    let version = parts[0] == "aside" ? nil : Int(parts[0].dropFirst())
    let number = parts.count == 3 ? Int(parts[2]) ?? 0 : 1
    // Only a name that this type writes is a backup's: a name of the app's own may look similar.
    self.init(of: data, version: version, checksum: parts[1], number: number)
    guard self.name.utf8.elementsEqual(name.utf8), parts[1].utf8.count == 16 else { return nil }
  }
}

/// Why a model's migration failed. Unless the reason says otherwise, the data is unchanged.
public struct ModelMigrationError: Error, Sendable, CustomStringConvertible, Described {
  /// A reason for the failure.
  public enum Reason: Sendable {
    /// The data could not be read.
    case read
    /// The data, of this version if it is known, is neither valid JSON nor a valid property list.
    case corrupt(version: Int?)
    /// A string in the data has half a surrogate pair, which would be lost.
    case loneSurrogate
    /// The data could not be migrated in memory.
    case model(ModelError.Reason)
    /// The data in the newest version does not decode as your type.
    case undecodable
    /// The data in the newest version could not be read again: it nests too deeply or is too large.
    case unreadableResult
    /// Other code removed the data during the migration, or changed it repeatedly. Its change was kept.
    case changed
    /// The old data could not be backed up, so nothing was replaced; or a backup could not be read, listed or removed.
    case backup
    /// The backup of this name is missing or damaged, or its version is unknown.
    case badBackup(String)
    /// The data is written, but the number beside it could not be updated, or the note about both could not be removed.
    /// The next run tries again.
    case version
    /// The new data could not be written, or did not read back the same. The old data is in place.
    case write
    /// The old data could not be restored after a failed write, for this reason. It is in the backup.
    case notRestored(DataStoreError)
  }

  package var model: String
  /// The name of the data in the store.
  public var name: String
  package var store: String
  /// The reason for the failure.
  public var reason: Reason
  /// The underlying error.
  public var cause: (any Error)?

  package var words: String {
    let place = "\(DisplayText.quoted(name)) in \(DisplayText.quoted(store))"
    let because = cause.map { ": \(ErrorText.withoutValues($0))" } ?? ""
    switch reason {
    case .read: return "The model in \(place) could not be read\(because)"
    case .corrupt(let version):
      let stored = version.map { " (stored as version \($0))" } ?? ""
      return
        "The model in \(place)\(stored) is not valid JSON or a valid property list\(because) Nothing was written."
        + " Restore it from a backup."
    case .loneSurrogate:
      return
        "The model in \(place) has a string with half a surrogate pair, which would be lost. Repair the data; nothing was"
        + " written."
    case .model: return "The model in \(place) was not migrated\(because)"
    case .undecodable:
      return
        "The model in \(place) does not decode as the type in use\(because). Fix the step or the type; nothing was"
        + " written."
    case .unreadableResult:
      return "The model in \(place) could not be read again in its newest version\(because) Fix the step; nothing was"
        + " written."
    case .changed:
      return "The model in \(place) was changed by other code while it was migrated; that change was kept. Run the"
        + " migration again, before anything writes the model."
    case .backup: return "The old data of \(place) could not be backed up, so nothing was replaced\(because)"
    case .badBackup(let backup):
      return "The backup \(DisplayText.quoted(backup)) of \(place) is missing or damaged; nothing was replaced."
    case .version:
      return "The version beside the model in \(place) could not be updated\(because) The data itself is complete. Run"
        + " the migration again."
    case .write: return "The new data of \(place) could not be written; the old data is unchanged\(because)"
    case .notRestored(let error):
      return
        "Verification failed: \(place) does not contain what was written\(because) The old data could not be restored: \(error) It"
        + " is in the backup."
    }
  }
}

/// The migrations of an app's models, which run together at launch, before other code reads the models.
///
/// <!-- snippet: model-several -->
/// ```swift
/// let report = ModelMigrations([customer.erased(), guest.erased()]).run()
/// for failure in report.failures { print(failure) }
/// ```
///
/// They run in the given order. A model that fails keeps its old data and does not stop the others. Run them again at
/// the next launch; models in the newest version are not written.
public struct ModelMigrations: Sendable {
  package let migrations: [AnyModelMigration]

  /// Creates a list of migrations, which run in this order.
  public init(_ migrations: [AnyModelMigration]) { self.migrations = migrations }

  package var isPending: Bool {
    migrations.contains { if case .pending = $0.state() { true } else { false } }
  }

  /// Migrates every model. One that fails does not stop the others.
  @discardableResult
  public func run() -> ModelMigrationsReport {
    ModelMigrationsReport(
      results: migrations.map { migration in
        .init(model: migration.model, name: migration.name, outcome: Result(catching: migration.run))
      })
  }
}

/// A model's migration without the type of its value, so that several fit into one list.
public struct AnyModelMigration: Sendable {
  package let model: String
  package let name: String
  package let state: @Sendable () -> ModelState
  package let run: @Sendable () throws(ModelMigrationError) -> ModelReport<Void>

  init<Value>(_ migration: ModelMigration<Value>) {
    model = migration.migrator.model
    name = migration.name
    state = { migration.state() }
    run = { () throws(ModelMigrationError) in
      let report = try migration.run()
      return ModelReport<Void>(
        value: report.value.map { _ in () }, from: report.from, to: report.to,
        stages: report.stages, backup: report.backup)
    }
  }
}

extension ModelMigration {
  /// The migration without the type of its value, for a list of several.
  public func erased() -> AnyModelMigration { AnyModelMigration(self) }
}

/// The outcomes of several models' migrations.
public struct ModelMigrationsReport: Sendable {
  package struct Result: Sendable {
    package var model: String
    package var name: String
    package var outcome: Swift.Result<ModelReport<Void>, ModelMigrationError>
  }

  package var results: [Result]

  /// The errors of the models that failed, in the given order.
  public var failures: [ModelMigrationError] {
    results.compactMap { result in
      if case .failure(let error) = result.outcome { error } else { nil }
    }
  }

  package var migrated: [String] {
    results.compactMap { result in
      if case .success(let report) = result.outcome, report.hasWritten { result.model } else { nil }
    }
  }
}

/// The state of an app's models for a view: whether a migration is pending, and which have failed.
///
/// <!-- snippet: model-progress -->
/// ```swift
/// let progress = ModelMigrationProgress(ModelMigrations([customer.erased()]))
/// await progress.run()  // in the `.task` of the first view
/// ```
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class ModelMigrationProgress {
  /// Whether a model is in an older version.
  public private(set) var isPending: Bool
  /// The errors of the models that failed in the last run.
  public private(set) var failures: [ModelMigrationError] = []
  @ObservationIgnored private let migrations: ModelMigrations
  @ObservationIgnored private var running: Task<(ModelMigrationsReport, isPending: Bool), Never>?

  /// Creates the state of some models. Reads them and changes nothing.
  public init(_ migrations: ModelMigrations) {
    self.migrations = migrations
    isPending = migrations.isPending
  }

  /// Migrates every model, off the main thread. A call during a run waits for that run.
  public func run() async {
    let migrations = migrations
    let task = running ?? Task.detached { (migrations.run(), migrations.isPending) }
    running = task
    let (report, isPending) = await task.value
    running = nil
    failures = report.failures
    self.isPending = isPending
  }
}

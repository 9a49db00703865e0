public import Observation

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

  package func states() -> [ModelState] { migrations.map { $0.state() } }

  package var isPending: Bool {
    states().contains { state in
      if case .pending = state { true } else { false }
    }
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

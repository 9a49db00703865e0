/// The models of an app, brought to their newest versions in one go at start, before anything reads them.
///
/// <!-- snippet: model-several -->
/// ```swift
/// let report = ModelMigrations([customer.erased(), guest.erased()]).run()
/// for failure in report.failures { print(failure) }
/// ```
///
/// They are taken in the order given. One that fails keeps its old data and does not hold up the others; run it again at
/// the next start, and those that are done write nothing.
public struct ModelMigrations: Sendable {
  /// The models, in the order they are migrated.
  package let migrations: [AnyModelMigration]

  /// Several models.
  public init(_ migrations: [AnyModelMigration]) { self.migrations = migrations }

  /// Where each model stands, without changing anything, in the order given.
  package func states() -> [ModelState] { migrations.map { $0.state() } }

  /// Whether a model is in an older version.
  package var isPending: Bool {
    states().contains { state in
      if case .pending = state { true } else { false }
    }
  }

  /// Migrates every model, going on past one that fails.
  @discardableResult
  public func run() -> ModelMigrationsReport {
    ModelMigrationsReport(
      results: migrations.map { migration in
        do throws(ModelMigrationError) {
          return ModelMigrationsReport.Result(
            model: migration.model, name: migration.name, outcome: .success(try migration.run()))
        } catch {
          return ModelMigrationsReport.Result(model: migration.model, name: migration.name, outcome: .failure(error))
        }
      })
  }
}

/// A model's migration whatever the type in use, so that several fit into one list.
public struct AnyModelMigration: Sendable {
  package let model: String
  package let name: String
  package let state: @Sendable () -> ModelState
  package let run: @Sendable () throws(ModelMigrationError) -> ModelReport<Void>

  /// A migration without its type.
  init<Value>(_ migration: ModelMigration<Value>) {
    model = migration.migrator.model
    name = migration.name
    state = { migration.state() }
    run = { () throws(ModelMigrationError) in
      let report = try migration.run()
      return ModelReport<Void>(
        value: report.value.map { _ in () }, from: report.from, to: report.to,
        stages: report.stages.map { .init(from: $0.from, title: $0.title, changes: $0.changes) }, backup: report.backup)
    }
  }
}

extension ModelMigration {
  /// The migration without its type, for a list of several.
  public func erased() -> AnyModelMigration { AnyModelMigration(self) }
}

/// How each of several models ended.
public struct ModelMigrationsReport: Sendable {
  /// How one model ended.
  package struct Result: Sendable {
    /// The model.
    package var model: String
    /// The name the data is under.
    package var name: String
    /// What was found and done, or why it failed.
    package var outcome: Swift.Result<ModelReport<Void>, ModelMigrationError>
  }

  /// How each model ended, in the order given.
  package var results: [Result]

  /// Why those that failed did, in the order given.
  public var failures: [ModelMigrationError] {
    results.compactMap { result in
      if case .failure(let error) = result.outcome { error } else { nil }
    }
  }

  /// The models that were brought to another version, in the order given.
  package var migrated: [String] {
    results.compactMap { result in
      if case .success(let report) = result.outcome, report.hasWritten { result.model } else { nil }
    }
  }
}

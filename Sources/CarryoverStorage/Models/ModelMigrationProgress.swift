public import Observation

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

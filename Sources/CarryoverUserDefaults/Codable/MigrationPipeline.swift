public import CarryoverStorage
import CarryoverSystem
public import Foundation

/// A model type that declares its name and version.
public protocol VersionedModel: Codable, Sendable, SendableMetatype {
  /// The model's name.
  static var modelIdentifier: String { get }
  /// The newest version: that of this type.
  static var schemaVersion: Int { get }
}

/// Steps from `Data` to `Data` for several models, registered by the model's name.
///
/// Use it instead of a `ModelMigrator` if your app already has such steps. The pipeline checks all steps of a model
/// before it runs the first one.
public final class MigrationPipeline: Sendable {
  private let steps = Locked<[String: [ModelStep]]>([:])

  /// A pipeline without steps.
  public init() {}

  /// Adds a step from one version of a model to the next.
  /// - Parameter migration: converts the JSON of `fromVersion` to the next version. An error stops the migration.
  public func register(model: String, fromVersion: Int, migration: @escaping @Sendable (Data) throws -> Data) {
    let step = ModelStep(from: fromVersion, "in code", data: migration)
    steps.withLock { $0[model, default: []].append(step) }
  }

  /// Migrates JSON data from one version to another, in memory, and returns the new data.
  /// - Throws: `ModelChainError` if a step is missing or registered twice. `ModelMigrationError` if the data is
  ///   corrupt, if a step fails, or, with `newer`, if `toVersion` is before `fromVersion`.
  public func migrate(model: String, data: Data, fromVersion: Int, toVersion: Int) throws -> Data {
    guard fromVersion != toVersion else { return data }
    let wanted = fromVersion..<max(fromVersion, toVersion)
    let steps = steps(of: model).filter { wanted.contains($0.from) }
    if let missing = wanted.first(where: { version in !steps.contains { $0.from == version } }) {
      throw ModelChainError(model: model, problem: .gap(from: missing))
    }
    let versioning = ModelVersioning(beside: .schemaVersion, unmarked: nil)
    let migrator = try ModelMigrator(model: model, version: toVersion, versioning: versioning, steps: steps)
    let store = MemoryDataStore([model: Array(data)])
    try store.setInteger(fromVersion, for: ModelVersionKey.schemaVersion.name(for: model))
    return Data(try ModelMigration(migrator, of: model, in: store) { $0 }.run().value ?? Array(data))
  }

  /// The migration of a model in a store. The version is an integer beside the data, under the key followed by
  /// `_schema_version`; data without one has version 1. When the app stores a model for the first time, it must also
  /// store `schemaVersion` there, with `setInteger(_:for:)`.
  ///
  /// Pass the members of each version as `shapes`: the migration then refuses newer data whose number is missing or too
  /// low, and does not migrate it again.
  /// - Throws: `ModelChainError` if a step is missing or registered twice, or if the shapes do not distinguish versions.
  public func migration<Model: VersionedModel>(
    of type: Model.Type, key: String, in store: any ByteStore, backups: (any ByteStore)? = nil,
    shapes: [Int: ModelShape] = [:],
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) throws(ModelChainError) -> ModelMigration<Model> {
    ModelMigration(
      type,
      try ModelMigrator(
        model: type.modelIdentifier, version: type.schemaVersion,
        versioning: ModelVersioning(beside: .schemaVersion, shapes: shapes), steps: steps(of: type.modelIdentifier)),
      of: key, in: store, backups: backups, decoder: decoder)
  }

  private func steps(of model: String) -> [ModelStep] { steps.withLock { $0[model] ?? [] } }
}

extension ModelStep {
  /// A step that converts JSON data to JSON data.
  public init(from: Int, _ title: String, data body: @escaping @Sendable (Data) throws -> Data) {
    self.init(from: from, title) { value in
      value = try StorageSerializer.json.decode(Array(body(Data(StorageSerializer.json.encode(value)))))
    }
  }
}

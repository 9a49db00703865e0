public import CarryoverStorage
import CarryoverSystem
public import Foundation

/// A model that says which it is and which version it is of.
public protocol VersionedModel: Codable, Sendable, SendableMetatype {
  /// The model's name.
  static var modelIdentifier: String { get }
  /// The newest version: that of this type.
  static var schemaVersion: Int { get }
}

/// The steps of several models, each from data to data, registered by the model's name.
///
/// It is another way to write `ModelMigrator`s, for an app that has such steps: they are used as they are.
/// The steps of a model are checked when it is migrated, before the first one runs.
public final class MigrationPipeline: Sendable {
  private let steps = Locked<[String: [ModelStep]]>([:])

  /// A pipeline without steps.
  public init() {}

  /// Adds a step to the next version.
  /// - Parameter migration: makes the JSON of the next version of that of `fromVersion`; what it throws stops the migration.
  public func register(model: String, fromVersion: Int, migration: @escaping @Sendable (Data) throws -> Data) {
    let step = ModelStep(from: fromVersion, "in code", data: migration)
    steps.withLock { $0[model, default: []].append(step) }
  }

  /// Data of one version in another; nothing is stored.
  /// - Throws: `ModelChainError` where a step is missing or there are two, and `ModelMigrationError`, with the version where
  ///   the data is corrupt, `newer` where `toVersion` is the earlier one.
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

  /// The migration of a model in a store, with its version beside the data: under the key and `_schema_version`, 1 where there
  /// is none.
  /// - Throws: `ModelChainError` where a step is missing or there are two.
  public func migration<Model: VersionedModel>(
    of type: Model.Type, key: String, in store: any ByteStore, backups: (any ByteStore)? = nil
  ) throws(ModelChainError) -> ModelMigration<Model> {
    ModelMigration(
      type,
      try ModelMigrator(
        model: type.modelIdentifier, version: type.schemaVersion, versioning: ModelVersioning(beside: .schemaVersion),
        steps: steps(of: type.modelIdentifier)),
      of: key, in: store, backups: backups)
  }

  private func steps(of model: String) -> [ModelStep] { steps.withLock { $0[model] ?? [] } }
}

extension ModelStep {
  /// A step from data to data, both JSON.
  public init(from: Int, _ title: String, data body: @escaping @Sendable (Data) throws -> Data) {
    self.init(from: from, title) { value in
      value = try StorageSerializer.json.decode(Array(body(Data(StorageSerializer.json.encode(value)))))
    }
  }
}

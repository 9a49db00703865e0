public import CarryoverStorage
public import Foundation

extension ModelMigration where Value: Decodable & SendableMetatype {
  /// A migration of a Codable type's data. The new data must decode before anything is written.
  ///
  /// <!-- snippet: model-codable -->
  /// ```swift
  /// let migration = ModelMigration(Customer.self, try CustomerHistory.migrator(), of: "customer", in: store)
  /// let current = try migration.run().value
  /// ```
  /// - Parameters:
  ///   - type: the type of the newest version.
  ///   - migrator: the model's history.
  ///   - name: the name of the data in the store.
  ///   - store: the store with the data.
  ///   - backups: the store for the old data; nil uses `store`.
  ///   - observe: receives each event of the migration.
  ///   - decoder: creates a decoder with the app's strategies.
  public init(
    _ type: Value.Type, _ migrator: ModelMigrator, of name: String, in store: any ByteStore,
    backups: (any ByteStore)? = nil, observe: @escaping @Sendable (ModelEvent) -> Void = { _ in },
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) {
    self.init(migrator, of: name, in: store, backups: backups, observe: observe) { bytes in
      try decoder().decodeModel(Value.self, from: bytes)
    }
  }
}

public import CarryoverStorage
public import Foundation

extension ModelMigration where Value: Decodable & SendableMetatype {
  /// A migration of the data of a Codable type, decoded before anything is written.
  ///
  /// <!-- snippet: model-codable -->
  /// ```swift
  /// let migration = ModelMigration(Customer.self, try CustomerHistory.migrator(), of: "customer", in: store)
  /// let current = try migration.run().value
  /// ```
  /// - Parameters:
  ///   - type: the type in use, which is that of the newest version.
  ///   - migrator: the model's history.
  ///   - name: the name the data is under.
  ///   - store: the store it is in.
  ///   - backups: where the old data is kept; nil means the store itself.
  ///   - decoder: makes a decoder with the app's own strategies.
  ///   - observe: is told what happens, while it happens.
  public init(
    _ type: Value.Type, _ migrator: ModelMigrator, of name: String, in store: any ByteStore,
    backups: (any ByteStore)? = nil, decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() },
    observe: @escaping @Sendable (ModelEvent) -> Void = { _ in }
  ) {
    self.init(migrator, of: name, in: store, backups: backups, observe: observe) { bytes in
      try decoder().decodeModel(Value.self, from: bytes)
    }
  }
}

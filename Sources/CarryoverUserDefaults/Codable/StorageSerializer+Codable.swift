public import CarryoverStorage
public import Foundation

extension StorageSerializer where Value: Codable & SendableMetatype {
  /// Serializes a Codable type as JSON. The keys are sorted, so that equal values give equal bytes.
  ///
  /// It also reads what an app has set in `UserDefaults` directly, from a store with
  /// ``DefaultsDataStore/readingEveryType()``: numbers, dates, arrays, dictionaries, URLs, data, and text for a type that
  /// decodes from a string, such as `String`, `UUID` or an enum. Text that begins with a quotation mark is always JSON.
  /// - Parameters:
  ///   - type: the value's type.
  ///   - encoder: creates an encoder with the app's strategies. Its keys are always sorted.
  ///   - decoder: creates a decoder with the app's strategies for JSON.
  public static func codable(
    _ type: Value.Type = Value.self, encoder: @escaping @Sendable () -> JSONEncoder = { JSONEncoder() },
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) -> StorageSerializer {
    StorageSerializer(
      encode: { value in
        let encoder = encoder()
        encoder.outputFormatting.insert(.sortedKeys)
        return Array(try encoder.encode(value))
      },
      decode: { try decoder().decodeStored(Value.self, from: $0) })
  }

  /// Serializes a versioned model as JSON. Data of an older version is migrated in memory when it is read; setting the
  /// value stores it in the newest version.
  ///
  /// Use a migrator with a version marker in the data. A number beside the data is neither read nor written here: if the
  /// migrator declares one, it must also declare the members of each version, which then identify it.
  /// - Parameters:
  ///   - type: the type of the newest version.
  ///   - migrator: the model's history.
  ///   - encoder: creates an encoder with the app's strategies. Its keys are always sorted.
  ///   - decoder: creates a decoder with the app's strategies for JSON.
  /// - Throws: `ModelChainError` with `besideOnly` if only a number beside the data identifies its version.
  public static func model(
    _ type: Value.Type = Value.self, _ migrator: ModelMigrator,
    encoder: @escaping @Sendable () -> JSONEncoder = { JSONEncoder() },
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) throws(ModelChainError) -> StorageSerializer {
    let migrator = try migrator.ofDataAlone()
    let newest = codable(type, encoder: encoder, decoder: decoder)
    return StorageSerializer(
      encode: { try migrator.marked(newest.encode($0)) }, decode: { try newest.decode(migrator.migrated(bytes: $0)) })
  }
}

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

extension JSONDecoder {
  /// Decodes a value from JSON or from a property list.
  func decodeModel<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    guard ModelForm(of: bytes) != .json else { return try decode(type, from: Data(bytes)) }
    // In an array, because a property list decoder rejects a date as the root.
    let list = PropertyListValue.array([try PropertyListDocument(bytes: bytes).root])
    let data = Data(try PropertyListDocument.encode(list, as: .binary))
    guard let value = try PropertyListDecoder().decode([Value].self, from: data).first else {
      throw DecodingError.valueNotFound(type, .init(codingPath: [], debugDescription: "the list is empty"))
    }
    return value
  }

  /// Decodes a value from JSON, from a property list, or from text or data that an app has set in `UserDefaults`.
  func decodeStored<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    do {
      return try decodeModel(type, from: bytes)
    } catch {
      guard let plain = plain(type, bytes) else { throw error }
      return plain
    }
  }

  /// A value whose bytes are not encoded. Nil for what may be damaged JSON: it must not pass for the value.
  private func plain<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
    let first = bytes.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
    if first == UInt8(ascii: "\"") { return nil }
    let mayBeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    if type is Data.Type {
      // With another strategy, JSON for data may begin with a bracket.
      if mayBeJSON { guard case .base64 = dataDecodingStrategy else { return nil } }
      return Data(bytes) as? Value
    }
    if type is URL.Type, let url = Self.url(bytes) { return url as? Value }
    guard let text = String(utf8: bytes) else { return nil }
    if type is String.Type { return text as? Value }
    guard !mayBeJSON, let json = try? JSONEncoder().encode(text) else { return nil }
    return try? decode(type, from: json)
  }

  /// A URL as `UserDefaults.set(_:forKey:)` stores it: the path of a file, or a keyed archive.
  private static func url(_ bytes: [UInt8]) -> URL? {
    if let document = try? PropertyListDocument(bytes: bytes) {
      guard case .string(let text)? = (try? KeyedArchive(document))?.propertyList()?.value else { return nil }
      return URL(string: text)
    }
    guard let path = String(utf8: bytes), path.hasPrefix("/") || path.hasPrefix("~") else { return nil }
    return URL(fileURLWithPath: NSString(string: path).expandingTildeInPath)
  }
}

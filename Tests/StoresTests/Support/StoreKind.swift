import Carryover
import CarryoverEncryption
import CarryoverUserDefaults
import Crypto
import Foundation
import Testing

/// Every kind of data store there is, each made anew, and opened again over what it holds.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case memory, files, userDefaults, encryptedFiles, encryptedDefaults

  var testDescription: String { rawValue }
}

/// A store in a place of its own that is removed with it.
final class StorePlace {
  let kind: StoreKind
  let folder: URL
  private let key = SymmetricKey(size: .bits256)
  private let suite = "carryover-tests-\(UUID().uuidString)"
  private let memory = MemoryDataStore()

  init(_ kind: StoreKind) throws {
    self.kind = kind
    folder = FileManager.default.temporaryDirectory.appending(path: "carryover-stores-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
    UserDefaults.standard.removePersistentDomain(forName: suite)
  }

  /// The store, as an app that starts again opens it.
  func open() throws -> any DataStore {
    switch kind {
    case .memory: memory
    case .files: FileDataStore(folder: folder.appending(path: "files").path)
    case .userDefaults: try defaults()
    case .encryptedFiles: EncryptedFileStore(folder: folder.appending(path: "secret").path, keys: FixedKey(key))
    case .encryptedDefaults: EncryptedFileStore(in: try defaults(), keys: FixedKey(key))
    }
  }

  private func defaults() throws -> DefaultsDataStore {
    guard let store = DefaultsDataStore(suite: suite) else { throw CocoaError(.featureUnsupported) }
    return store
  }
}

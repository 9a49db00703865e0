import CarryoverEncryption
import Crypto

#if canImport(Security)
  import Security
#endif

/// Every kind of data store there is, each made anew, and opened again over what it holds.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case memory, files, userDefaults, textDefaults, encryptedFiles, encryptedDefaults
  #if canImport(Security)
    case keychain
  #endif

  static var allCases: [StoreKind] {
    let kinds: [StoreKind] = [.memory, .files, .userDefaults, .textDefaults, .encryptedFiles, .encryptedDefaults]
    #if canImport(Security)
      // A Mac lets only signed programs at it, and tests are seldom signed.
      return kinds + (StorePlace.isKeychainOpen ? [.keychain] : [])
    #else
      return kinds
    #endif
  }

  var testDescription: String { rawValue }

  var folder: String { self == .encryptedFiles ? "secret" : "files" }

  /// Whether the system behind the store can keep only one of two names that look the same. The second is refused then.
  var refusesEquivalentNames: Bool {
    #if os(Linux)
      self == .userDefaults || self == .textDefaults || self == .encryptedDefaults
    #else
      false
    #endif
  }
}

final class StorePlace {
  let kind: StoreKind
  private let files = TemporaryFolder()
  private let key = SymmetricKey(size: .bits256)
  private let suite = "carryover-tests-\(UUID().uuidString)"
  private let memory = MemoryDataStore()

  var folder: URL { files.url }

  init(_ kind: StoreKind) { self.kind = kind }

  deinit {
    #if canImport(Security)
      if kind == .keychain {
        let keychain = KeychainDataStore(service: suite)
        for name in (try? keychain.names()) ?? [] { try? keychain.remove(name) }
      }
    #endif
    TestSuite.remove(suite)
  }

  func open() throws -> any ByteStore {
    switch kind {
    case .memory: memory
    case .files: FileDataStore(folder: folder.appending(path: kind.folder).path)
    case .userDefaults: try DefaultsDataStore(suite: suite)
    case .textDefaults: try DefaultsDataStore(suite: suite).writingText()
    case .encryptedFiles: EncryptedFileStore(folder: folder.appending(path: kind.folder).path, keys: key)
    case .encryptedDefaults: EncryptedFileStore(in: try DefaultsDataStore(suite: suite), keys: key)
    #if canImport(Security)
      case .keychain: KeychainDataStore(service: suite)
    #endif
    }
  }

  func leftovers() throws -> [String] {
    let path = files.path(kind.folder)
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".tmp") }
  }

  #if canImport(Security)
    /// Whether the system lets this program at the keychain. Where the keychain is required, the tests run in any case.
    static let isKeychainOpen: Bool = {
      if ProcessInfo.processInfo.environment["CARRYOVER_KEYCHAIN"] == "required" { return true }
      do throws(DataStoreError) {
        _ = try KeychainDataStore(service: "carryover-tests").data(for: "none")
        return true
      } catch {
        return (error.cause as? KeychainStatus)?.code != errSecMissingEntitlement
      }
    }()
  #endif
}

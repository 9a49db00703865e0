public import CarryoverSystem
public import Crypto
import Foundation
public import PropertyLists

/// Provides the key of an encrypted store, for example from a keychain, the Secure Enclave, a file or a test.
public protocol KeyProvider: Sendable {
  /// The key: 256 bits.
  /// - Throws: an error if the key is not available. The store then neither reads nor writes anything.
  func key() throws -> SymmetricKey
}

extension SymmetricKey: KeyProvider {
  /// The key itself.
  public func key() -> SymmetricKey { self }
}

/// A stored key, which is created on request.
package protocol KeptKey: KeyProvider {
  var isMade: Bool { get }
  var missing: any Error { get }
  func read() throws -> SymmetricKey?
  /// Creates a random key if there is none. If several processes do so at the same time, the first key stays.
  func make() throws
}

extension KeptKey {
  /// The key, read anew for each call so that it does not stay in memory.
  public func key() throws -> SymmetricKey {
    if let found = try read() { return found }
    guard isMade else { throw missing }
    try make()
    guard let made = try read() else { throw missing }
    return made
  }
}

/// A key in a file: 32 bytes that only the file's owner may read. Its errors are ``FileKeyError``.
public struct FileKey: KeyProvider, KeptKey {
  private let path: String
  package let isMade: Bool
  private let fileSystem: any FileSystem

  /// A key in the file at a path.
  /// - Parameter isMade: whether to create a missing file, with a random key, and its folders. If several processes do
  ///   so at the same time, all get the same key. Pass false once the app has stored a value, so that a lost key is an
  ///   error.
  public init(_ path: String, making isMade: Bool = false) {
    self.init(path, making: isMade, fileSystem: POSIXFileSystem())
  }

  package init(_ path: String, making isMade: Bool, fileSystem: any FileSystem) {
    self.path = path
    self.isMade = isMade
    self.fileSystem = fileSystem
  }

  package var missing: any Error { FileKeyError.missing(path) }

  package func read() throws(FileKeyError) -> SymmetricKey? {
    let image: FileImage
    do {
      guard try fileSystem.status(path) != nil else { return nil }
      image = try fileSystem.read(path, limit: 4096)
    } catch {
      throw .file(error)
    }
    guard image.status.mode & 0o077 == 0 else { throw .open(path, mode: image.status.mode) }
    guard image.bytes.count == Self.length else { throw .wrongSize(path, image.bytes.count) }
    return SymmetricKey(data: image.bytes)
  }

  /// Never replaces a key that another process has created meanwhile. The key is on the disk when the call returns.
  package func make() throws(FileKeyError) {
    let folder = FilePath.folder(of: path)
    var files = DurableFiles(fileSystem)
    do {
      try files.makeFolders(folder)
      StoreTemporary.removeLeftOvers(in: folder, fileSystem)
      try files.writeExclusively(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }, to: path)
    } catch {
      throw .file(error)
    }
  }

  private static let length = 32
}

/// An error in reading or creating a key file.
public enum FileKeyError: Error, Hashable, Sendable, CustomStringConvertible, Described {
  /// There is no file at this path.
  case missing(String)
  /// Users other than the owner may read the file at this path; `mode` is its permission bits.
  case open(String, mode: UInt32)
  /// The file at this path has this number of bytes instead of 32.
  case wrongSize(String, Int)
  /// The file system failed.
  case file(FileSystemError)

  package var words: String {
    switch self {
    case .missing(let path): "there is no key in \(DisplayText.quoted(path)); restore it"
    case .open(let path, let mode):
      "others may read the key in \(DisplayText.quoted(path)) (mode \(String(mode, radix: 8))); make its mode 600"
    case .wrongSize(let path, let count):
      "the key in \(DisplayText.quoted(path)) has \(count) bytes instead of 32; restore the right one"
    case .file(let error): error.description
    }
  }
}

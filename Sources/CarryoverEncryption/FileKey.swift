public import CarryoverSystem
package import Crypto
import Foundation
public import PropertyLists

/// A key in a file of its owner's: 32 bytes, which nobody else may read. Its errors are ``FileKeyError``.
public struct FileKey: KeyProvider, KeptKey {
  private let path: String
  package let isMade: Bool
  private let fileSystem: any FileSystem

  /// A key at a path.
  /// - Parameter isMade: whether to make a random key, and the folders on the way to it, where there is no file. Those that
  ///   do so at once get the same one. An app that has stored something should not: a key that is gone must be noticed.
  public init(_ path: String, making isMade: Bool = false) {
    self.init(path, making: isMade, fileSystem: POSIXFileSystem())
  }

  /// A key at a path of a file system's.
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

  /// Gets its name only if nobody else was quicker, and is on the disk before anything is encrypted with it.
  package func make() throws(FileKeyError) {
    let folder = DurableFiles.folder(of: path)
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

/// Why there is no key.
public enum FileKeyError: Error, Hashable, Sendable, CustomStringConvertible, Described {
  /// There is no file.
  case missing(String)
  /// Others may read the file.
  case open(String, mode: UInt32)
  /// The file is not of 32 bytes.
  case wrongSize(String, Int)
  /// The file system said no.
  case file(FileSystemError)

  /// What is wrong, and what to do.
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

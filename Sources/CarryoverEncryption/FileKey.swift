public import Carryover
public import Crypto
import Foundation

/// A key in a file of its owner's: 32 bytes, which nobody else may read.
public struct FileKey: KeyProvider {
  /// The file's path.
  public let path: String
  private let isMade: Bool
  private let fileSystem: any FileSystem

  /// A key at a path.
  /// - Parameter isMade: whether to make a random key where there is no file. Two that do so at once get the same one. An
  ///   app that has stored something should not: a key that is gone must be noticed.
  public init(_ path: String, making isMade: Bool = false, fileSystem: any FileSystem = POSIXFileSystem()) {
    self.path = path
    self.isMade = isMade
    self.fileSystem = fileSystem
  }

  /// The key; read each time, so that it need not stay in memory.
  /// - Throws: ``FileKeyError``.
  public func key() throws -> SymmetricKey {
    if let found = try read() { return found }
    guard isMade else { throw FileKeyError.missing(path) }
    do {
      try make(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
    } catch {
      throw FileKeyError.file(error)
    }
    guard let made = try read() else { throw FileKeyError.missing(path) }
    return made
  }

  private func read() throws(FileKeyError) -> SymmetricKey? {
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

  /// Made under another name, brought to the disk, and given its own only if nobody else was quicker.
  private func make(_ bytes: [UInt8]) throws(FileSystemError) {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    // What a process that was killed has left: a key that nothing was encrypted with.
    for file in (try? fileSystem.list(folder)) ?? [] where StoreTemporary.isLeftOver(file) {
      try? fileSystem.remove(folder + "/" + file)
    }
    let temporary = folder + "/" + StoreTemporary.new
    do throws(FileSystemError) {
      let handle = try fileSystem.create(temporary, mode: 0o600)
      do throws(FileSystemError) {
        try fileSystem.write(bytes, to: handle)
        try fileSystem.synchronize(handle)
      } catch {
        try? fileSystem.close(handle)
        throw error
      }
      try fileSystem.close(handle)
      try fileSystem.rename(temporary, to: path, .exclusive)
    } catch {
      try? fileSystem.remove(temporary)
      if (try? fileSystem.status(path)) ?? nil != nil { return }
      throw error
    }
    try fileSystem.synchronizeDirectory(folder)
  }

  private static let length = 32
}

/// Why there is no key.
public enum FileKeyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no file.
  case missing(String)
  /// Others may read the file.
  case open(String, mode: UInt32)
  /// The file is not of 32 bytes.
  case wrongSize(String, Int)
  /// The file system said no.
  case file(FileSystemError)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .missing(let path): "there is no key in \(DisplayText.quoted(path)); put it back"
    case .open(let path, let mode):
      "others may read the key in \(DisplayText.quoted(path)) (mode \(String(mode, radix: 8))); make its mode 600"
    case .wrongSize(let path, let count):
      "the key in \(DisplayText.quoted(path)) has \(count) bytes instead of 32; put the right one back"
    case .file(let error): error.description
    }
  }
}

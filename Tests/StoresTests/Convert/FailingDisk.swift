import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverVendors
import Foundation

/// A real disk that does its first so many changes and none of those after, as if the power had gone.
final class FailingDisk: FileSystem, @unchecked Sendable {
  private let disk = POSIXFileSystem()
  private let lock = NSLock()
  private var left: Int
  private var made = 0

  init(changes: Int = .max) { left = changes }

  /// How many changes were asked for.
  var changes: Int { lock.withLock { made } }

  private func change(_ operation: FileSystemError.Operation, _ path: String) throws(FileSystemError) {
    let isDone = lock.withLock {
      made += 1
      left -= 1
      return left >= 0
    }
    if !isDone { throw FileSystemError(operation, path, .system(EIO)) }
  }

  var user: UInt32 { disk.user }
  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage { try disk.read(path, limit: limit) }
  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try disk.read(path, from: offset, count: count)
  }
  func status(_ path: String) throws(FileSystemError) -> FileStatus? { try disk.status(path) }
  func list(_ path: String) throws(FileSystemError) -> [String] { try disk.list(path) }
  func resolve(_ path: String) throws(FileSystemError) -> String { try disk.resolve(path) }
  func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try change(.create, path)
    return try disk.create(path, mode: mode)
  }
  func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) {
    try change(.write, handle.path)
    try disk.write(bytes, to: handle)
  }
  func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try disk.setOwner(user, group, of: handle)
  }
  func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try disk.setMode(mode, of: handle)
  }
  func synchronize(_ handle: OpenFile) throws(FileSystemError) {
    try change(.synchronize, handle.path)
    try disk.synchronize(handle)
  }
  func close(_ handle: OpenFile) throws(FileSystemError) { try disk.close(handle) }
  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    try change(.rename, source)
    try disk.rename(source, to: destination, mode)
  }
  func remove(_ path: String) throws(FileSystemError) {
    try change(.remove, path)
    try disk.remove(path)
  }
  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    try change(.makeDirectory, path)
    try disk.makeDirectory(path, mode: mode)
  }
  func removeDirectory(_ path: String) throws(FileSystemError) { try disk.removeDirectory(path) }
  func synchronizeFile(_ path: String) throws(FileSystemError) { try disk.synchronizeFile(path) }
  func synchronizeDirectory(_ path: String) throws(FileSystemError) {
    try change(.synchronize, path)
    try disk.synchronizeDirectory(path)
  }
  func lock(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try disk.lock(path, mode: mode)
  }
}

/// Stores that share a number of writes: after so many of them all fail.
final class FailingStore: ByteStore, @unchecked Sendable {
  final class Budget: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int
    private(set) var asked = 0
    init(_ left: Int = .max) { self.left = left }
    func take() -> Bool {
      lock.withLock {
        asked += 1
        left -= 1
        return left >= 0
      }
    }
  }

  let memory: MemoryDataStore
  private let budget: Budget
  private let isReadable: Bool
  private let lock = NSLock()
  private var seen = 0

  init(_ memory: MemoryDataStore, _ budget: Budget = Budget(), isReadable: Bool = true) {
    self.memory = memory
    self.budget = budget
    self.isReadable = isReadable
  }

  /// How many times the store was asked for anything.
  var calls: Int { lock.withLock { seen } }
  var label: String { memory.label }

  func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    lock.withLock { seen += 1 }
    if !isReadable { throw DataStoreError(.read, name, in: label, .locked) }
    return try memory.data(for: name)
  }
  func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    lock.withLock { seen += 1 }
    if !budget.take() { throw DataStoreError(.write, name, in: label, .failed) }
    try memory.set(data, for: name)
  }
  func remove(_ name: String) throws(DataStoreError) {
    lock.withLock { seen += 1 }
    try memory.remove(name)
  }
  func names() throws(DataStoreError) -> [String] { try memory.names() }
}

/// An Application Support folder of its own.
final class ConvertBox {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "carryover-convert-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Not there until something is written.
  var support: String { folder.appending(path: "Library/Application Support").path }

  func path(_ name: String) -> String { support + "/" + name }
  func files(_ disk: any FileSystem = POSIXFileSystem()) -> ConvertFiles {
    ConvertFiles(applicationSupport: support, fileSystem: disk)
  }
  func put(_ name: String, _ text: String) throws {
    let path = path(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }
  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
  }
  func names(_ folder: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).sorted()
  }
}

import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverVendors
import Foundation

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

final class ConvertBox: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "carryover-convert-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

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

import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("The key that seals a user's state")
struct StateKeyTests {
  private static let path = "/home/me/.local/state/carryover/key"

  private func file(_ fileSystem: MemoryFileSystem, _ path: String? = path) -> StateKeyFile {
    StateKeyFile(fileSystem: fileSystem, path: path, random: { [UInt8](repeating: 9, count: StateKey.length) })
  }

  private func home() throws -> MemoryFileSystem {
    let fileSystem = MemoryFileSystem()
    fileSystem.putFolder("/home/me")
    return fileSystem
  }

  @Test("is where the XDG base directories say, and nowhere where neither folder is an absolute path")
  func place() {
    #expect(StateKeyFile.path(stateHome: "/s", home: "/h") == "/s/carryover/key")
    #expect(StateKeyFile.path(stateHome: "relative", home: "/h") == "/h/.local/state/carryover/key")
    #expect(StateKeyFile.path(stateHome: "", home: "/h") == "/h/.local/state/carryover/key")
    #expect(StateKeyFile.path(stateHome: nil, home: nil) == nil)
    #expect(StateKeyFile.path(stateHome: nil, home: "h") == nil)
  }

  @Test("is made once, for its owner alone, in folders for its owner alone, and only where it is asked for")
  func made() throws {
    let fileSystem = try home()
    #expect(try file(fileSystem).existing() == nil)
    #expect(fileSystem.bytes(Self.path) == nil)
    let key = try file(fileSystem).obtain()
    #expect(try fileSystem.status(Self.path)?.mode == 0o600)
    #expect(try fileSystem.status("/home/me/.local/state/carryover")?.mode == 0o700)
    let other = StateKeyFile(fileSystem: fileSystem, path: Self.path, random: { [UInt8](repeating: 1, count: 32) })
    #expect(try other.obtain() == key)
    #expect(try other.existing() == key)
  }

  @Test("never appears where it is printed")
  func printed() throws {
    let key = try file(home()).obtain()
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped] {
      #expect(!text.contains("090909") && !text.contains("9, 9"), "\(text)")
      #expect(text.contains(key.id))
    }
  }

  @Test("is refused where others can use it, where it is not the user's, and where it is damaged")
  func refused() throws {
    let good = Array(([UInt8](repeating: 9, count: 32).hexadecimal + "\n").utf8)
    for (bytes, mode, user, expected) in [
      (good, 0o640, 501, StateKeyError.notPrivate(path: Self.path, mode: 0o640)),
      (good, 0o602, 501, .notPrivate(path: Self.path, mode: 0o602)),
      (good, 0o600, 502, .otherOwner(path: Self.path, user: 502)),
      (Array(good.dropLast()), 0o600, 501, .damaged(path: Self.path)),
      (Array(good.dropFirst(2)), 0o600, 501, .damaged(path: Self.path)),
      ([], 0o600, 501, .damaged(path: Self.path)),
      ([UInt8](repeating: 0x30, count: 5000), 0o600, 501, .damaged(path: Self.path)),
    ] as [([UInt8], UInt32, UInt32, StateKeyError)] {
      let fileSystem = try home()
      fileSystem.put(Self.path, bytes, mode: mode, user: user)
      #expect(throws: expected) { try file(fileSystem).existing() }
      #expect(throws: expected) { try file(fileSystem).obtain() }
      #expect(fileSystem.bytes(Self.path) == bytes)
    }
    #expect(throws: StateKeyError.noPlace) { try file(home(), nil).obtain() }
  }

  @Test("that cannot be made keeps everything from being written, whatever fails on the way")
  func notMade() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    fileSystem.putFolder("/home/me")
    let source = file(fileSystem)
    var operation = 0
    var refused = 0
    while true {
      operation += 1
      let attempt = MemoryFileSystem(copying: fileSystem)
      attempt.arm(FaultPlan(faults: [operation: .error(Errno.noSpace)], only: [.makeDirectory, .create, .write]))
      let tree = attempt.tree("/box")
      let migrator = Migrator(
        fileSystem: attempt, toolVersion: "0.1.0",
        key: StateKeyFile(
          fileSystem: attempt, path: Self.path, random: { [UInt8](repeating: 9, count: StateKey.length) }),
        now: { SampleBox.moment })
      do {
        _ = try migrator.apply(box.plan(target: attempt.target), decisions: [:], in: box.container)
        break
      } catch {
        guard case .stateKey = error else { break }
        refused += 1
        #expect(attempt.tree("/box") == tree)
      }
    }
    #expect(refused >= 5)
    _ = try source.obtain()
  }
}

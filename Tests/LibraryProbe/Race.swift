import CarryoverEncryption
import CarryoverStorage
import CarryoverUserDefaults
import CarryoverVendors
import Foundation
import PropertyLists

/// What several processes, or several threads, do at once, in rounds that each have a place of their own.
protocol Race: Sendable {
  func prepare(_ folder: String, _ round: String) throws
  /// - Returns: what this process got.
  func run(_ folder: String, _ round: String) -> String
  /// - Returns: what is stored, and what is wrong with it.
  func check(_ folder: String, _ round: String) throws -> String
}

extension Race {
  /// Answers each line of the standard input with a line: what was asked for, in a round of its own place.
  func serve(_ folder: String, _ say: (String) -> Void) {
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 2 else { return say("not understood: \(line)") }
      do {
        switch words[0] {
        case "prepare":
          try prepare(folder, words[1])
          say("ready")
        case "run": say(run(folder, words[1]))
        case "threads": say(threads(folder, words[1]))
        case "check": say(try check(folder, words[1]))
        default: say("not understood: \(line)")
        }
      } catch {
        say("failed: \(error)")
      }
    }
  }

  private func threads(_ folder: String, _ round: String) -> String {
    let said = Said()
    let begin = DispatchSemaphore(value: 0)
    let end = DispatchGroup()
    for _ in 0..<20 {
      end.enter()
      Thread.detachNewThread {
        begin.wait()
        said.add(run(folder, round))
        end.leave()
      }
    }
    for _ in 0..<20 { begin.signal() }
    end.wait()
    return said.all
  }
}

private final class Said: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: Set<String> = []
  func add(_ text: String) { lock.withLock { _ = texts.insert(text) } }
  var all: String { lock.withLock { texts.sorted().joined(separator: " and ") } }
}

struct ModelRace: Race {
  enum Place {
    case files, encrypted, defaults
  }

  var place: Place
  var hasShapes: Bool
  private static let name = "amount"

  private func store(_ folder: String, _ round: String) throws -> any ByteStore {
    let own = folder + "/round-" + round
    switch place {
    case .files: return FileDataStore(folder: own)
    case .encrypted: return EncryptedFileStore(folder: own, keys: FileKey(folder + "/key", making: true))
    case .defaults: return try DefaultsDataStore(suite: "com.acme.race-\(round)")
    }
  }

  private func migrator() throws -> ModelMigrator {
    let shapes = [1: ModelShape(required: ["amount"], forbidden: ["by"]), 2: ModelShape(required: ["by"])]
    // A step that shows in the value if it is made twice, and who has made it.
    let step = ModelStep(from: 1, "to cents") { value in
      guard let amount = value["amount"]?.numberValue?.int64 else { throw Refused(what: "no amount") }
      value.set(JSONValue(Int(amount) * 100), at: "amount")
      value.set(.string(UUID().uuidString), at: "by")
    }
    return try ModelMigrator(
      model: "amount", version: 2,
      versioning: ModelVersioning(beside: .schemaVersion, shapes: hasShapes ? shapes : [:]), steps: [step])
  }

  func prepare(_ folder: String, _ round: String) throws {
    let store = try store(folder, round)
    try store.set(Array(#"{"amount":5}"#.utf8), for: Self.name)
    try store.setInteger(1, for: "amount_schema_version")
  }

  func run(_ folder: String, _ round: String) -> String {
    do {
      let migration = ModelMigration(try migrator(), of: Self.name, in: try store(folder, round)) { $0 }
      guard let value = try migration.run().value else { return "nothing stored" }
      return String(decoding: value, as: UTF8.self)
    } catch {
      return "failed: \(error)"
    }
  }

  func check(_ folder: String, _ round: String) throws -> String {
    let store = try store(folder, round)
    let data = try store.data(for: Self.name).map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
    let number = try store.integer(for: "amount_schema_version")
    let note = try store.data(for: "amount.carryover-version")
    return data + (number == 2 ? "" : " without its version") + (note == nil ? "" : " and with a note")
  }
}

/// The first look-up of a visitor's id, in a file, which is looked at and written at once like a keychain, and in defaults.
struct IdentityRace: Race {
  private static let names = ["com.convert.sdk.visitorId", "com.convert.sdk.visitorIdMirror"]

  private func stores(_ folder: String, _ round: String) throws -> [any ByteStore] {
    [
      FileDataStore(folder: folder + "/keychain-" + round),
      try DefaultsDataStore(suite: "com.acme.race-\(round)").writingText(),
    ]
  }

  func prepare(_ folder: String, _ round: String) {}

  func run(_ folder: String, _ round: String) -> String {
    do {
      let stores = try stores(folder, round)
      let identity = IdentityLookup.convert(keychain: stores[0], mirror: stores[1]) { UUID().uuidString }.resolve()
      return identity.failures.isEmpty ? identity.id : "failed: \(identity.failures)"
    } catch {
      return "failed: \(error)"
    }
  }

  func check(_ folder: String, _ round: String) throws -> String {
    let ids = try zip(stores(folder, round), Self.names).map { store, name in
      try store.data(for: name).map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
    }
    return ids[0] == ids[1] ? ids[0] : ids.joined(separator: " and ")
  }
}

#if os(Linux)
  import Foundation

  /// Runs everything that is asynchronous on the thread that asks for it. Otherwise a job moves from thread to thread, and
  /// strace, which counts the calls of each thread by itself, could not be told which write to strike.
  final class OneThread: SerialExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private static let shared = OneThread()

    private typealias Hook = @convention(thin) (UnownedJob, @convention(thin) (UnownedJob) -> Void) -> Void

    func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    private func add(_ job: UnownedJob) {
      condition.lock()
      jobs.append(job)
      condition.signal()
      condition.unlock()
    }

    private func next() -> UnownedJob {
      condition.lock()
      defer { condition.unlock() }
      while jobs.isEmpty { condition.wait() }
      return jobs.removeFirst()
    }

    /// Runs something to its end, which must end the process.
    static func run(_ body: @escaping @Sendable () async -> Never) -> Never {
      guard let symbol = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else {
        FileHandle.standardError.write(Data("the runtime has no hook to run everything on one thread\n".utf8))
        exit(70)
      }
      symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in OneThread.shared.add(job) }
      Task { await body() }
      while true { shared.next().runSynchronously(on: shared.asUnownedSerialExecutor()) }
    }
  }
#endif

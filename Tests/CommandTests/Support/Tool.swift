/// The built command and the tools that judge its work, run as a user runs them.
enum Tool {
  struct Result {
    var status: Int32
    var output: String
    var error: String

    /// The document that was printed, by the schema of this name if one is given.
    @discardableResult
    func json(
      _ schema: String? = nil, sourceLocation location: SourceLocation = #_sourceLocation
    ) throws -> [String: Any] {
      let parsed = try JSONSerialization.jsonObject(with: Data(output.utf8))
      guard let object = parsed as? [String: Any] else { throw Missing("a JSON object in \(output)") }
      if let schema { #expect(try SchemaCheck(schema).problems(object) == [], sourceLocation: location) }
      return object
    }

    @discardableResult
    func ended(
      _ expected: Int32 = 0, saying words: String..., printing texts: String...,
      sourceLocation location: SourceLocation = #_sourceLocation
    ) -> Result {
      #expect(status == expected, "\(output)\(error)", sourceLocation: location)
      for word in words where !word.isEmpty { #expect(error.contains(word), "\(error)", sourceLocation: location) }
      return printing(texts, location)
    }

    /// As ``ended(_:saying:printing:sourceLocation:)``, whatever the status.
    @discardableResult
    func prints(_ texts: String..., sourceLocation location: SourceLocation = #_sourceLocation) -> Result {
      printing(texts, location)
    }

    private func printing(_ texts: [String], _ location: SourceLocation) -> Result {
      for text in texts where !text.isEmpty {
        #expect(output.contains(text), "\(output)\(error)", sourceLocation: location)
      }
      return self
    }
  }

  struct Missing: Error, CustomStringConvertible {
    var description: String
    init(_ what: String) { description = "missing: \(what)" }
  }

  static let carryover: URL = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<5 {
      let candidate = folder.appendingPathComponent("carryover")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: "/missing/carryover")
  }()

  static func carryover(_ arguments: String...) throws -> Result { try carryover(arguments) }

  static func carryover(_ arguments: [String]) throws -> Result { try run(carryover.path, arguments) }

  /// The review or the stores by lines.
  static func carryover(_ arguments: [String], lines: [String]) throws -> Result {
    try run(carryover.path, arguments + ["--accessible"], input: lines.map { $0 + "\n" }.joined())
  }

  /// The command under strace, which does something to a system call, each time or as `injection` says.
  static func carryover(
    _ arguments: [String], tampering call: String = "fsync", _ injection: String, in environment: [String] = [],
    input: String = ""
  ) throws -> Result {
    try run(
      "env",
      environment + ["strace", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):\(injection)"]
        + [carryover.path] + arguments, input: input)
  }

  static func runs(of container: String, _ options: String...) throws -> [[String: Any]] {
    let history = try carryover(["history", container, "--json"] + options).ended().json("history-1")
    return try #require(history["runs"] as? [[String: Any]])
  }

  /// The keys of a property list as Foundation reads them.
  static func keys(of path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
  }

  static func digest(of file: String) throws -> String { "sha256:\(try run("sha256sum", [file]).output.prefix(64))" }

  /// Runs a program by path, or by a name that is searched for, to its end.
  ///
  /// Spawned and waited for by hand: Foundation's `Process` misses the end of a child when many run at once.
  static func run(_ program: String, _ arguments: [String], input: String = "") throws -> Result {
    // Files instead of pipes: nobody has to read while the program runs.
    let folder = TemporaryFolder()
    let (output, error, standardInput) = (folder.path("output"), folder.path("error"), folder.path("input"))
    try Data(input.utf8).write(to: URL(fileURLWithPath: standardInput))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, standardInput, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    // Test runners block signals in their threads, and a child would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var process = pid_t()
    let failure = withCStrings([program] + arguments) { argumentPointers in
      withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environmentPointers in
        posix_spawnp(&process, program, &actions, &attributes, argumentPointers, environmentPointers)
      }
    }
    guard failure == 0 else { throw Missing("\(program): \(String(cString: strerror(failure)))") }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return Result(
      status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
      output: try String(contentsOfFile: output, encoding: .utf8),
      error: try String(contentsOfFile: error, encoding: .utf8))
  }

  /// Changes `values`, the dictionary of a property list or an empty one, as the code in Python says.
  static func edit(_ path: String, _ code: String) throws {
    let script = """
      import os, plistlib, sys
      values = plistlib.load(open(sys.argv[1], 'rb')) if os.path.exists(sys.argv[1]) else {}
      \(code)
      plistlib.dump(values, open(sys.argv[1], 'wb'))
      """
    try run("python3", ["-c", script, path]).ended()
  }

  struct Measured: Decodable {
    var status: Int32
    var error: String
    var printed: Int
    var peak: Int
    var seconds: Double
  }

  /// Runs the command to its end without a terminal. One that goes astray is stopped by the system.
  static func measured(_ arguments: [String]) throws -> Measured {
    let script = """
      import json, os, resource, subprocess, sys, tempfile
      def bound():
          resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
          if sys.platform == "linux": resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
      with tempfile.TemporaryFile() as output:
          done = subprocess.run(
              sys.argv[1:], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, preexec_fn=bound)
          printed = os.fstat(output.fileno()).st_size
      used = resource.getrusage(resource.RUSAGE_CHILDREN)
      print(json.dumps({
          "status": done.returncode, "error": done.stderr.decode(), "printed": printed,
          "peak": used.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
          "seconds": used.ru_utime + used.ru_stime}))
      """
    let result = try run("python3", ["-c", script, carryover.path] + arguments)
    guard result.status == 0 else { throw Missing(result.error) }
    return try JSONDecoder().decode(Measured.self, from: Data(result.output.utf8))
  }

  /// A plain environment, the same on every machine but for where programs are.
  private static let environment: [String: String] = [
    "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm-256color", "HOME": NSTemporaryDirectory(),
    "XDG_STATE_HOME": stateHome,
    "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
  ]

  /// Where the command keeps its key: of these tests, and never the user's own. It is gone when they are over. The key is
  /// there from the beginning, so that no test depends on which of them comes first.
  static let stateHome: String = {
    let path = NSTemporaryDirectory() + "/carryover-state-\(UUID().uuidString)"
    let files = FileManager.default
    try? files.createDirectory(
      atPath: path + "/carryover", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    _ = files.createFile(
      atPath: path + "/carryover/key", contents: Data((String(repeating: "5a", count: 32) + "\n").utf8),
      attributes: [.posixPermissions: 0o600])
    atexit { try? FileManager.default.removeItem(atPath: Tool.stateHome) }
    return path
  }()

  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    return pointers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the array ends in nil, so it is not empty") }
      return body(UnsafePointer(base))
    }
  }
}

extension TemporaryFolder {
  func app(_ keys: [String: Any], named name: String = "App") throws -> String {
    try place(
      "Saved/\(name)/Library/Preferences/com.acme.shop.plist",
      PropertyListSerialization.data(fromPropertyList: keys, format: .binary, options: 0))
    return path("Saved/" + name)
  }

  /// A recipe file, which has other bytes in each test: trust in one is no trust in another.
  func recipe(id: String = "acme-sdk", _ rest: String) throws -> String {
    let file = path("acme.recipe.yaml")
    let head = "carryover: recipe/1\nx-test: \(UUID().uuidString)\nid: \(id)\nversion: 1\ntitle: Acme\n"
    try (head + rest + "\n").write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }
}

struct SampleCopy {
  let folder: TemporaryFolder
  let path: String
  let name: String

  init(_ name: String) throws {
    folder = TemporaryFolder()
    self.name = name
    let original = Self.original(name)
    path = folder.path(original.lastPathComponent)
    try FileManager.default.copyItem(at: original, to: URL(fileURLWithPath: path))
  }

  static func applied() throws -> SampleCopy {
    let sample = try SampleCopy("AcmeShop")
    try Tool.carryover(["apply"] + sample.options + decided + ["--yes"]).ended()
    return sample
  }

  /// The clean sample on which an apply was killed at the first rename of a file, with its journal in place. Needs strace.
  /// - Parameter colleague: whether another user made the run, so that it came with the container.
  static func interrupted(byColleague colleague: Bool = false) throws -> SampleCopy {
    let sample = try SampleCopy("Clean")
    let home = colleague ? ["XDG_STATE_HOME=\(sample.folder.path("colleague"))"] : []
    // A user's first run renames their new key first, before there is a journal.
    let other = try SampleCopy("Clean")
    try Tool.run("env", home + [Tool.carryover.path, "apply"] + other.options + ["--yes"]).ended()
    let killed = try Tool.carryover(
      ["apply"] + sample.options + ["--yes"], tampering: "renameat2", "signal=KILL:when=1", in: home)
    try #require(killed.status == 128 + SIGKILL, "\(killed.error)")
    try #require(FileManager.default.fileExists(atPath: sample.path + "/.carryover/journal.json"))
    return sample
  }

  static let names = [
    "AcmeShop", "Clean", "CorruptTraits", "Disagree", "FutureTimestamp", "HalfFilled", "ManualSession",
    "NothingToMigrate", "OptedOut",
  ]
  static let writeKey = "1xAcmeWriteKey"
  static let now = "2025-11-20T12:05:00Z"
  static let planning = ["--write-key", writeKey, "--now", now]
  /// What settles the fields of the first sample.
  static let decided = ["--set", "user_id=42", "--set", "rudder.app_build=420"]

  static func original(_ name: String) -> URL { packageRoot.appendingPathComponent("Examples/\(name).xcappdata") }

  var options: [String] { [path] + Self.planning }

  var target: String { path + "/AppData/Library/Preferences/com.acme.shop.analytics.\(Self.writeKey).plist" }

  func run(_ subcommand: String, _ arguments: String...) throws -> Tool.Result {
    try Tool.carryover([subcommand] + (subcommand == "rollback" ? [path] : options) + arguments)
  }

  func files() throws -> [String: FileState] { try FileState.files(under: path) }

  func originalFiles() throws -> [String: FileState] { try FileState.files(under: Self.original(name).path) }

  /// The target as CPython's reader sees it: each key as "type value".
  func targetAsPythonReadsIt() throws -> [String: String] {
    let script = """
      import plistlib, sys
      for key, value in plistlib.load(open(sys.argv[1], 'rb')).items():
          print(key, type(value).__name__, repr(value), sep='\\t')
      """
    let result = try Tool.run("python3", ["-c", script, target])
    guard result.status == 0 else { throw Tool.Missing(result.error) }
    var values: [String: String] = [:]
    for line in result.output.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1)
      values[String(parts[0])] = String(parts[1])
    }
    return values
  }
}

/// A file as `cmp` and `ls` would judge it.
struct FileState: Equatable {
  var bytes: Data
  var mode: Int

  static func files(under root: String) throws -> [String: FileState] {
    var files: [String: FileState] = [:]
    let manager = FileManager.default
    for name in try manager.subpathsOfDirectory(atPath: root) where !name.hasPrefix(".carryover") {
      var isFolder: ObjCBool = false
      let path = root + "/" + name
      guard manager.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
      let mode = (try manager.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue ?? -1
      files[name] = FileState(
        bytes: isFolder.boolValue ? Data() : try Data(contentsOf: URL(fileURLWithPath: path)), mode: mode)
    }
    return files
  }
}

extension Trait where Self == ConditionTrait {
  /// Marks what needs strace. `make test` passes over it and `make test-all` runs it.
  static var needsTools: Self {
    .enabled("make test-all runs it") { ProcessInfo.processInfo.environment["CARRYOVER_TESTS"] == "all" }
  }
}

enum Trace {
  /// The calls by which something could be written, and those that open files.
  static let calls =
    "trace=creat,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,symlink,symlinkat,"
    + "chmod,fchmod,fchmodat,chown,fchown,fchownat,lchown,truncate,ftruncate,fsync,fdatasync,pwrite64,writev,open,openat,"
    + "write"

  /// The lines of a trace that write, to anything but standard output and error.
  static func writing(in log: String) throws -> [Substring] {
    let trace = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    guard trace.contains(where: { $0.contains("openat") }) else { throw Tool.Missing("a trace") }
    return trace.filter { line in
      if line.contains("open") {
        return line.contains("O_WRONLY") || line.contains("O_RDWR") || line.contains("O_CREAT")
      }
      if line.contains(" write(1,") || line.contains(" write(2,") { return false }
      return !line.contains("+++") && !line.contains("---")
    }
  }
}

/// A recipe with tests of its own.
enum RecipeFixture: String, CaseIterable {
  case steps, conditions, families
  case ownRules = "own-rules"

  var path: String { packageRoot.appendingPathComponent("Tests/Fixtures/Recipes/\(rawValue).recipe.yaml").path }
}

let acmeHead = """
  carryover: recipe/1
  id: acme-sdk
  version: 1
  title: Acme 1 → 2
  """

/// A recipe file for the bundled samples in a folder of its own: a field that can be migrated, one whose step has no
/// result, and one with a secret among its sources.
struct AcmeRecipe {
  let folder = TemporaryFolder()
  var file: String { folder.path("acme.recipe.yaml") }
  static let text = """
    \(acmeHead)
    about: What it is for.
    parameters: {token: {title: token}}
    read: [{suite: "${bundle-id}"}]
    write: {suite: "${bundle-id}.acme"}
    detect: [rl_anonymous_id]
    opt-out-keys: []
    fields:
      - {key: "who-${token}", group: identity, form: string, from: [{key: none}, {key: rl_anonymous_id, steps: [text]}]}
      - {key: n, form: integer, from: [{key: rl_anonymous_id, steps: [integer-from-text]}]}
      - {key: plan, form: string, from: [{key: rl_traits, member: plan}, {key: rl_auth_token}]}

    """

  static let options = ["--now", SampleCopy.now, "-P", "token=x"]
  static let sample = SampleCopy.original("AcmeShop").path

  init() throws { try Self.text.write(toFile: file, atomically: true, encoding: .utf8) }

  func changed(_ old: String, _ new: String) throws -> String {
    let text = Self.text.replacingOccurrences(of: old, with: new)
    #expect(text != Self.text)
    let path = folder.path("changed.recipe.yaml")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  func hostile() throws -> String {
    let keys = (0..<2000).map { "  - \"k\($0)\\u001b[31m\\u202e\"\n" }.joined()
    return try changed("detect: [rl_anonymous_id]\n", "detect:\n" + keys)
  }

  static func expectHarmless(_ result: Tool.Result, _ location: SourceLocation = #_sourceLocation) {
    #expect(result.error.isEmpty && result.output.count > 2000, "\(result.error)", sourceLocation: location)
    #expect(
      !result.output.unicodeScalars.contains {
        $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
      }, sourceLocation: location)
  }
}

@Suite("Agreement with other readers") struct OracleTests {
  private let place = TemporaryFolder()
  private var folder: URL { place.url }

  /// Prints, for each file named in a list, what plistlib reads in the form of `Canonical`, or `error`.
  private static let reader = """
    import datetime, plistlib, struct, sys
    start = datetime.datetime(2001, 1, 1)
    def text(value, xml):
        def string(value):
            if xml: value = value.replace("\\r\\n", "\\n").replace("\\r", "\\n")
            return "s" + value.encode("utf-8").hex()
        if value is None: return "n"
        if isinstance(value, bool): return "b1" if value else "b0"
        if isinstance(value, str): return string(value)
        if isinstance(value, int): return "i%d" % value
        if isinstance(value, float): return "rnan" if value != value else "r" + struct.pack(">d", value).hex()
        if isinstance(value, bytes): return "x" + value.hex()
        if isinstance(value, plistlib.UID): return "u%d" % value.data
        if isinstance(value, datetime.datetime):
            delta = value - start
            return "d%d" % (delta.days * 86400 + delta.seconds)
        if isinstance(value, list): return "[" + ",".join(text(item, xml) for item in value) + "]"
        if isinstance(value, dict):
            return "{" + ",".join(string(key) + ":" + text(item, xml) for key, item in value.items()) + "}"
        raise TypeError(type(value))
    for name in open(sys.argv[1]).read().split("\\n"):
        try:
            with open(name, "rb") as file: data = file.read()
            print(text(plistlib.loads(data), not data.startswith(b"bplist")))
        except Exception:
            print("error")
    """

  @Test(.enabled(if: Tool.python != nil || Tool.isRequired, "python3 is not installed"))
  func `plistlib reads the same from generated and damaged files that both accept`() throws {
    var generator = SeededGenerator(seed: 21)
    var files: [(name: String, bytes: [UInt8])] = []
    for index in 0..<(Extent.isFull ? 600 : 150) {
      let format: PropertyListFormat = index % 2 == 0 ? .binary : .xml
      let root = generator.dictionary(pairs: 6)
      var bytes = try PropertyListDocument.encode(.dictionary(root), as: format)
      if index % 3 == 0 { bytes = generator.mutate(bytes) }
      let file = folder.appendingPathComponent("\(index).plist")
      try Data(bytes).write(to: file)
      files.append((file.path, bytes))
    }
    let script = folder.appendingPathComponent("read.py")
    let list = folder.appendingPathComponent("list")
    try Data(Self.reader.utf8).write(to: script)
    try Data(files.map(\.name).joined(separator: "\n").utf8).write(to: list)
    let result = try Tool.run(Tool.python, "python3", [script.path, list.path])
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(result.status == 0)
    try #require(lines.count >= files.count)
    var compared = 0
    for (index, file) in files.enumerated() where lines[index] != "error" {
      guard let document = try? PropertyListDocument(bytes: file.bytes) else {
        // What is whole must be read by both.
        #expect(index % 3 == 0)
        continue
      }
      guard let ours = Canonical(isXML: document.format == .xml).text(document.root) else { continue }
      #expect(ours == lines[index], "file \(index)")
      compared += 1
    }
    #expect(compared > files.count / 2)
  }

  @Test(.enabled(if: Tool.python != nil || Tool.isRequired, "python3 is not installed"))
  func `plistlib's own files are read as it wrote them`() throws {
    let writer = """
      import datetime, plistlib, sys
      value = {"z": 1, "a": -1, "big": 2**64 - 1, "small": -2**63, "real": 0.1, "yes": True, "no": False,
        "date": datetime.datetime(2025, 11, 21, 8, 15, 30), "data": bytes(range(200)), "é😀": "é\\u0301😀 <&>",
        "array": [1, [2, [3]]], "dictionary": {"inner": {}}, "shared": ["text"] * 20}
      for name, form in (("a.plist", plistlib.FMT_XML), ("b.plist", plistlib.FMT_BINARY)):
          with open(sys.argv[1] + "/" + name, "wb") as file: plistlib.dump(value, file, fmt=form, sort_keys=False)
      """
    let expected: PropertyListValue = [
      "z": 1, "a": -1, "big": .integer(PropertyListInteger(UInt64.max)),
      "small": .integer(PropertyListInteger(Int64.min)),
      "real": 0.1, "yes": true, "no": false, "date": .date(PropertyListDate(secondsSince2001: 785_405_730)),
      "data": .data(Array(0..<200)), "é😀": "é\u{301}😀 <&>", "array": [1, [2, [3]]], "dictionary": ["inner": [:]],
      "shared": .array(Array(repeating: "text", count: 20)),
    ]
    #expect(try Tool.run(Tool.python, "python3", ["-c", writer, folder.path]).status == 0)
    for name in ["a.plist", "b.plist"] {
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
      let document = try PropertyListDocument(bytes: bytes)
      #expect(document.root == expected)
      #expect(document.findings.isEmpty)
    }
  }

  @Test(
    .enabled(if: Tool.plutil != nil || Tool.isRequired, "plutil is not installed"),
    arguments: [PropertyListFormat.binary, .xml])
  func `plutil converts our files to the other format without changing a value`(format: PropertyListFormat) throws {
    var generator = SeededGenerator(seed: 31)
    var values: [PropertyListValue] = []
    for index in 0..<40 {
      // Without UIDs, which plutil on Linux cannot convert, and without −0.0, which it writes as 0.
      let plain = generator.dictionary(pairs: 8).rebuilt { value in
        switch value {
        case .uid(let uid): .integer(PropertyListInteger(uid))
        case .real(let real) where real.value == 0: 0.0
        default: value
        }
      }
      let value = PropertyListValue.dictionary(plain)
      values.append(value)
      let bytes = try PropertyListDocument.encode(value, as: format)
      try Data(bytes).write(to: folder.appendingPathComponent("\(index).plist"))
    }
    let other = format == .binary ? "xml1" : "binary1"
    let names = values.indices.map { folder.appendingPathComponent("\($0).plist").path }
    #expect(try Tool.run(Tool.plutil, "plutil", ["-lint", "-s"] + names).status == 0)
    #expect(try Tool.run(Tool.plutil, "plutil", ["-convert", other, "-e", "converted"] + names).status == 0)
    let canonical = Canonical(sortsKeys: true)
    for (index, value) in values.enumerated() {
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent("\(index).converted")))
      let document = try PropertyListDocument(bytes: bytes)
      #expect(document.format != format)
      #expect(canonical.text(document.root) == canonical.text(value), "file \(index)")
    }
  }
}

enum Tool {
  /// Under CI a missing program fails the test; elsewhere the test is skipped with a reason.
  static let isRequired = ProcessInfo.processInfo.environment["CI"] == "true"

  static let python = find("python3")
  static let plutil = find("plutil")

  /// Looks in PATH, then beside the `swift` that PATH names.
  private static func find(_ name: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map { URL(fileURLWithPath: String($0)) }
    let beside = folders.map { $0.appendingPathComponent("swift").resolvingSymlinksInPath() }
      .filter { FileManager.default.isExecutableFile(atPath: $0.path) }.map { $0.deletingLastPathComponent() }
    return (folders + beside).map { $0.appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  struct Missing: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(name) is not installed, and CI=true requires it" }
  }

  static func run(_ tool: URL?, _ name: String, _ arguments: [String]) throws -> (output: Data, status: Int32) {
    guard let tool else { throw Missing(name: name) }
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (output, process.terminationStatus)
  }
}

struct Canonical {
  var sortsKeys = false
  /// plistlib makes every line end in XML a line feed and reads CF$UID as a dictionary.
  var isXML = false

  /// Nil for what the other readers round, refuse or cannot say: dates with a fraction, sets.
  func text(_ value: PropertyListValue) -> String? {
    switch value {
    case .string(let text): return string(text)
    case .integer(let integer): return "i\(integer)"
    case .real(let real):
      if real.value.isNaN { return "rnan" }
      let digits = String(real.value.bitPattern, radix: 16)
      return "r" + String(repeating: "0", count: 16 - digits.count) + digits
    case .boolean(let boolean): return boolean ? "b1" : "b0"
    case .date(let date):
      guard date.isInCalendarRange, let seconds = Int(exactly: date.secondsSince2001) else { return nil }
      return "d\(seconds)"
    case .data(let bytes): return "x" + Self.hexadecimal(bytes)
    case .uid(let uid): return isXML ? "{\(string("CF$UID")):i\(uid)}" : "u\(uid)"
    case .null: return "n"
    case .set: return nil
    case .array(let values):
      let texts = values.map(text)
      return texts.contains(nil) ? nil : "[" + texts.compactMap { $0 }.joined(separator: ",") + "]"
    case .dictionary(let dictionary): return text(dictionary)
    }
  }

  /// plistlib keeps the place of the first pair of a key and the value of the last.
  private func text(_ dictionary: PropertyListDictionary) -> String? {
    var keys: [String] = []
    var values: [String: String] = [:]
    for entry in dictionary.entries {
      guard let value = text(entry.value) else { return nil }
      let key = string(entry.key)
      if values.updateValue(value, forKey: key) == nil { keys.append(key) }
    }
    if sortsKeys { keys.sort() }
    return "{" + keys.map { $0 + ":" + (values[$0] ?? "") }.joined(separator: ",") + "}"
  }

  private func string(_ text: String) -> String {
    let text = isXML ? text.replacing("\r\n", with: "\n").replacing("\r", with: "\n") : text
    return "s" + Self.hexadecimal(Array(text.utf8))
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// What a tree of values holds, counted after the clock has stopped.
///
/// Two peers whose tallies are equal have built the same tree; one that skipped work, or built it lazily, shows.
public struct Tally {
  private var values = 0
  private var textBytes = 0
  private var dataBytes = 0

  /// Nothing counted yet.
  public init() {}

  /// Counts one value; a container's members are added by themselves.
  public mutating func addValue() {
    values += 1
  }

  /// Counts the UTF-8 bytes of a string or of a dictionary's key.
  public mutating func addText(_ text: String) {
    textBytes += text.utf8.count
  }

  /// Counts the bytes of a data value.
  public mutating func addData(count: Int) {
    dataBytes += count
  }

  var line: String { "\(values) \(textBytes) \(dataBytes)" }
}

/// The two formats that are raced.
public enum Format {
  case binary
  case xml

  /// The format of a file, from its first bytes.
  public init(of bytes: some Sequence<UInt8>) {
    self = bytes.starts(with: Array("bplist".utf8)) ? .binary : .xml
  }
}

/// One library that takes part: how it gets from a file to a tree and from a tree to bytes.
public protocol Peer {
  /// A property list in memory, as the library builds it.
  associatedtype Tree
  /// Encoded bytes, as the library returns them: converting them would be timed too.
  associatedtype Bytes: Collection<UInt8>

  /// Reads a file and builds the whole tree. Timed.
  static func read(_ path: String) throws -> (tree: Tree, format: Format)
  /// Encodes a tree in memory. Timed.
  static func write(_ tree: Tree, as format: Format) throws -> Bytes
  /// Counts what a tree holds. Not timed.
  static func count(_ tree: Tree, into tally: inout Tally)
}

extension Peer {
  /// Runs one task as `race.py` asks for it: `read LIST` or `write LIST [FOLDER]`.
  ///
  /// LIST is a text file with a path on each line. Prints the processor seconds the task took, then the tally of a read, or
  /// the number of bytes of a write. With FOLDER, what was written is kept there, one numbered file for each path.
  public static func run(_ arguments: [String]) throws {
    guard arguments.count >= 3 else { throw PeerError.usage }
    let paths = try readFile(arguments[2]).split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    switch arguments[1] {
    case "read":
      try timeReading(paths)
    case "write":
      try timeWriting(paths, keptIn: arguments.count > 3 ? arguments[3] : nil)
    default:
      throw PeerError.usage
    }
  }

  private static func timeReading(_ paths: [String]) throws {
    var trees: [Tree] = []
    trees.reserveCapacity(paths.count)
    let start = cpuSeconds()
    for path in paths {
      trees.append(try read(path).tree)
    }
    let seconds = cpuSeconds() - start
    var tally = Tally()
    for tree in trees {
      count(tree, into: &tally)
    }
    print(seconds, tally.line)
  }

  private static func timeWriting(_ paths: [String], keptIn folder: String?) throws {
    let trees = try paths.map(read)
    var outputs: [Bytes] = []
    outputs.reserveCapacity(trees.count)
    let start = cpuSeconds()
    for (tree, format) in trees {
      outputs.append(try write(tree, as: format))
    }
    let seconds = cpuSeconds() - start
    if let folder {
      for (number, output) in outputs.enumerated() {
        try writeFile(Array(output), to: "\(folder)/\(number)")
      }
    }
    print(seconds, outputs.reduce(0) { $0 + $1.count })
  }
}

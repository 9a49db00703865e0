import ArgumentParser
import Carryover
import CarryoverSystem
import CarryoverTerminal

struct AuditMergeSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges the shards of an audit into one audit.",
    discussion: """
      All shards must be complete, and have the same options and inputs.

      Exit status: 0 merged and within every limit, 1 a shard is missing, incomplete or damaged, no container has a plan, \
      or the merge failed, 2 a limit is exceeded, 4 a container changed while being read, or the shards found different \
      inputs, 64 usage.
      """)

  @Argument(help: "The folders of all shards, in any order.", completion: .directory)
  var shard: [String]
  @Option(
    name: .shortAndLong, help: ArgumentHelp("A new folder for the rows.", valueName: "folder"), completion: .directory)
  var output: String
  @OptionGroup var result: AuditResultArguments

  func validate() throws {
    guard !output.isEmpty else { throw ValidationError("-o needs the path of a folder.") }
  }

  func run() throws {
    try reporting {
      let shards = try MergedShards(shard)
      try result.print(try ThisProcess.uninterrupted { try merge(shards) })
    }
  }

  private func merge(_ shards: MergedShards) throws -> AuditOutput {
    let rows = AuditParts(output).allRows
    var files = DurableFiles(POSIXFileSystem())
    let names = try files.fileSystem.status(output) == nil ? [] : files.fileSystem.list(output)
    // What is left of a merge that was killed.
    guard names.allSatisfy({ FilePath.join(output, $0) == DurableFiles.temporary(of: rows) }) else {
      throw CommandFailure.usage("“\(DisplayText.visible(output))” is not empty: name a new folder for the audit.")
    }
    try files.makeFolders(output)
    var totals = AuditTotals()
    var seal = AuditSeal(inputs: shards.seal.inputs, walk: shards.seal.walk)
    var limits: [AuditLimit]?
    try PieceOutput.write(to: rows) { output in
      var reader = AuditRowReader()
      try shards.forEachRow { row in
        try output.print(String(decoding: row, as: UTF8.self))
        seal.add(row)
        guard let unit = try reader.take(row) else { return }
        try totals.add(unit)
      }
      if let unit = reader.finish() { try totals.add(unit) }
      guard totals.inputs == shards.seal.inputs else { throw DamagedRow("rows are missing") }
      // The file gets its name once nothing can go wrong any more.
      limits = try result.limiting.limits(of: totals)
    }
    try files.replace(AuditParts.options(of: output), with: Array((shards.options.text(pretty: true) + "\n").utf8))
    try seal.write(to: output)
    return AuditOutput(
      totals: totals, limits: try limits ?? result.limiting.limits(of: totals), folder: output,
      failure: totals.failure(isShard: false))
  }
}

private struct MergedShards {
  /// The options of the audit without `--shard`.
  private(set) var options = JSONValue.null
  /// The seal of the first shard. The others found the same inputs.
  private(set) var seal = AuditSeal()
  private var shards: [(folder: String, seal: AuditSeal)] = []

  /// - Throws: a failure unless the folders are all shards of one audit, each of them once and complete.
  init(_ folders: [String]) throws {
    var found: [Int: (folder: String, seal: AuditSeal)] = [:]
    var first: (name: String, count: Int)?
    for folder in folders {
      let shown = DisplayText.visible(folder)
      guard let document = try AuditParts.document(in: folder),
        let shard = document["shard"]?.stringValue.flatMap(AuditShard.init(argument:)), shard != .whole
      else {
        throw CommandFailure(
          "“\(shown)” is not the folder of a shard: name folders that carryover audit --shard made.", .usage)
      }
      let name = "Shard \(shard.text) in “\(shown)”"
      guard let seal = try AuditSeal(of: folder) else {
        throw CommandFailure("\(name) is not complete. Add --resume to its command to continue.", .error)
      }
      let options = Self.whole(document)
      if first == nil { (first, self.options, self.seal) = ((name, shard.count), options, seal) }
      let other = first?.name ?? name
      guard shard.count == first?.count, options == self.options else {
        let differing = Self.differing(options, self.options)
        throw CommandFailure(
          "\(name) has a different \(differing.isEmpty ? "number of shards" : differing) from \(other).", .usage)
      }
      guard seal.inputs == self.seal.inputs, seal.walk == self.seal.walk else {
        throw CommandFailure(
          "\(name) found different inputs from \(other): \(seal.inputs), not \(self.seal.inputs), or some with different paths. "
            + "Audit all shards again while no program adds, removes or renames inputs.", .stalePlan)
      }
      guard found.updateValue((folder, seal), forKey: shard.index) == nil else {
        throw CommandFailure("\(name) is given twice. Name each shard once.", .usage)
      }
    }
    let count = first?.count ?? 0
    let missing = (0..<count).filter { found[$0] == nil }
    guard missing.isEmpty else {
      let some = missing.prefix(5).map { "\($0)/\(count)" }.joined(separator: ", ")
      let more = missing.count > 5 ? " and \(missing.count - 5) more" : ""
      let are = missing.count == 1 ? "Shard \(some) is" : "Shards \(some)\(more) are"
      throw CommandFailure("\(are) missing. Name the folders of all \(count) shards.", .error)
    }
    shards = (0..<count).compactMap { found[$0] }
  }

  private static func whole(_ options: JSONValue) -> JSONValue {
    .object(
      (options.members ?? []).map { $0.name == "shard" ? JSONMember("shard", AuditShard.whole.text.json) : $0 })
  }

  private static func differing(_ one: JSONValue, _ other: JSONValue) -> String {
    let names = (one.members ?? []).map(\.name).filter { one[$0] != other[$0] }
    return names.joined(separator: ", ")
  }

  private static let mostBytes = 16 << 20

  /// In the order of the inputs.
  func forEachRow(_ body: ([UInt8]) throws -> Void) throws {
    var readers = shards.map { shard in
      AuditRowFile(AuditParts(shard.folder).allRows, in: POSIXFileSystem()).lines(
        inPiecesOf: max(1 << 12, min(1 << 16, Self.mostBytes / shards.count)))
    }
    var read = shards.map { _ in AuditSeal() }
    var heads = try readers.indices.map { try readers[$0].next() }
    var open = heads.count { $0 != nil }
    var input = 0
    func damaged(_ shard: Int, _ reason: String) -> DamagedRows {
      DamagedRows(path: AuditParts(shards[shard].folder).allRows, line: read[shard].rows + 1, reason: reason)
    }
    while open > 0 {
      let shard = input % shards.count
      input += 1
      let beginning = Array(AuditedContainer.beginning(of: input).utf8)
      guard heads[shard]?.starts(with: beginning) == true else {
        throw damaged(shard, "the rows of input \(input) are missing")
      }
      while let row = heads[shard], row.starts(with: beginning) {
        do {
          try body(row)
        } catch let error as DamagedRow {
          throw damaged(shard, error.reason)
        }
        read[shard].add(row)
        heads[shard] = try readers[shard].next()
      }
      if heads[shard] == nil { open -= 1 }
    }
    for shard in shards.indices where !read[shard].hasSameRows(as: shards[shard].seal) {
      throw damaged(shard, "the rows are not those that the audit wrote")
    }
  }
}

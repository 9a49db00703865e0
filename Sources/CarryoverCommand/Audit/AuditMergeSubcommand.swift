import ArgumentParser
import Carryover
import CarryoverAudit
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

struct AuditMergeSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges the shards of an audit: the rows are those of an audit without --shard.",
    discussion: """
      Every shard must be complete, and all must have the same options and inputs. Merging again replaces the rows.

      Exit status: 0 merged and within every --fail-on, 1 a shard is missing or incomplete, no container has a plan, or \
      failed, 2 a --fail-on limit is exceeded, 4 a container changed while being read, 64 usage.
      """)

  @Argument(help: "The folders of all shards, in any order.", completion: .directory)
  var shard: [String]
  @Option(
    name: .shortAndLong, help: ArgumentHelp("A new folder for the rows.", valueName: "folder"), completion: .directory)
  var output: String
  @OptionGroup var result: AuditResultArguments

  func run() throws {
    try reporting {
      let shards = try MergedShards(shard)
      let baseline = try result.baseline.map(AuditSource.init)
      var parts = AuditParts(output)
      try parts.begin(shards.options, resumes: true)
      var totals = AuditTotals()
      var join = try baseline.map { try AuditJoin(old: $0.rows) }
      try PieceOutput.write(to: parts.allRows) { output in
        var reader = AuditRowReader()
        func add(_ unit: AuditUnit) throws(DamagedRow) {
          try totals.add(unit)
          try join?.add(unit)
        }
        do {
          try shards.forEachRow { line in
            try output.print(String(decoding: line, as: UTF8.self))
            if let unit = try reader.take(line) { try add(unit) }
          }
          if let unit = reader.finish() { try add(unit) }
        } catch let error as DamagedRow {
          throw AuditParts.damaged(error.reason)
        }
      }
      guard totals.inputs == shards.inputs else { throw AuditParts.damaged("rows are missing") }
      let limits = try result.limits(fields: Recipe.builtIn.flatMap(\.rules).map(\.target) + totals.order.map(\.field))
      try result.print(
        AuditResult(totals: totals, diff: try join?.finish(), failure: totals.failure(isShard: false)), limits,
        folder: output)
    }
  }
}

/// All shards of one audit.
private struct MergedShards {
  /// The options of the audit without `--shard`.
  let options: JSONValue
  /// The number of inputs of all shards.
  let inputs: Int
  private let rows: [AuditRowFile]

  /// - Throws: a failure unless the folders are all shards of one audit, each of them once and complete.
  init(_ folders: [String]) throws {
    var shards: [Int: String] = [:]
    var (count, options, walk) = (0, JSONValue.null, JSONValue.null)
    for folder in folders {
      let shown = DisplayText.visible(folder)
      guard let document = AuditParts.document(in: folder),
        let shard = document["shard"]?.stringValue.flatMap(AuditShard.init(argument:))
      else {
        throw CommandFailure(
          "“\(shown)” is not the folder of a shard: name folders that carryover audit --shard made.", .error)
      }
      guard let found = AuditParts.walk(in: folder) else {
        throw CommandFailure(
          "Shard \(shard.text) in “\(shown)” is not complete. Add --resume to its command to continue.", .error)
      }
      if shards.isEmpty { (count, options, walk) = (shard.count, Self.whole(document), found) }
      guard shard.count == count, Self.whole(document) == options else {
        throw CommandFailure("Shard \(shard.text) in “\(shown)” is of an audit with other options.", .error)
      }
      guard found == walk else {
        throw CommandFailure(
          "Shard \(shard.text) in “\(shown)” found other inputs than those before it. Audit all shards again when no "
            + "program adds, removes or renames inputs.", .stalePlan)
      }
      guard shards.updateValue(folder, forKey: shard.index) == nil else {
        throw CommandFailure("Shard \(shard.text) is named twice: “\(shown)”.", .usage)
      }
    }
    let missing = (0..<count).filter { shards[$0] == nil }
    guard missing.isEmpty else {
      let some = missing.prefix(5).map { "\($0)/\(count)" }.joined(separator: ", ")
      let more = missing.count > 5 ? " and \(missing.count - 5) more" : ""
      throw CommandFailure("Missing: \(ValueWording.counted(missing.count, "shard")), \(some)\(more).", .error)
    }
    guard let inputs = walk["inputs"]?.numberValue?.int64 else { throw AuditParts.damaged("the inputs are not known") }
    (self.options, self.inputs) = (options, Int(inputs))
    rows = (0..<count).compactMap { shards[$0] }.map { AuditRowFile(AuditParts($0).allRows, in: POSIXFileSystem()) }
  }

  private static func whole(_ options: JSONValue) -> JSONValue {
    .object(
      (options.members ?? []).map { $0.name == "shard" ? JSONMember("shard", .string(AuditShard.whole.text)) : $0 })
  }

  /// Passes on every row, in the order of the inputs.
  func forEachRow(_ body: ([UInt8]) throws -> Void) throws {
    var files = rows.map(\.lines)
    var next = try files.indices.map { try files[$0].next() }
    for input in 0..<inputs {
      let shard = input % files.count
      let beginning = Array(AuditedContainer.beginning(of: input + 1).utf8)
      while let row = next[shard], row.starts(with: beginning) {
        try body(row)
        next[shard] = try files[shard].next()
      }
    }
    guard next.allSatisfy({ $0 == nil }) else { throw AuditParts.damaged("they are not in order") }
  }
}

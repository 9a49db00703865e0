import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview

struct InspectSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Lists every store of a container with its keys, types and values, packed values opened.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var shownFiles: ShownFilesArgument
  @Option(
    help: ArgumentHelp(
      "Show only this store: its path, the end of it, or its suite's name. Repeatable.", valueName: "name"))
  var store: [String] = []
  @Option(help: ArgumentHelp("Show only this top-level key. Repeatable.", valueName: "name"))
  var key: [String] = []
  @Option(
    help: ArgumentHelp(
      "List the places, nested ones too, where a key or a value contains this. The exit status is 1 if there are none.",
      valueName: "text"))
  var find: String?
  @Flag(help: "Print every nested value, and every text in full.") var all = false
  @Flag(help: "List the SDKs that left data, and what an update of each would lose, instead of the stores.")
  var sdks = false
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.inspect/1; with --sdks, carryover.sdks/1.") var json = false

  func run() throws {
    try reporting(redacting) { masking in
      if find?.isEmpty == true { throw CommandFailure.usage("--find needs text to search for.") }
      var opened = try container.open(reading: shownFiles.files, tables: !sdks, masking)
      if sdks {
        try write(SDKsOutput(opened, now: Console.now, masking), masking)
        if let failure = Edge.recoveryNeeded(opened) { throw failure }
        return
      }
      try Edge.countUnread(&opened, masking)
      var stores = try chosen(opened.container)
      let found = find.map { search(stores.map(\.store), $0) }
      if let found { stores = narrowed(stores, to: found.matches) }
      if json {
        var output = InspectJSON(masking)
        try output.write(opened.container, stores: stores, matches: found?.matches)
      } else {
        let paper = printing.paper
        let text = InspectText(all: all, isNarrowed: !key.isEmpty, on: paper, masking: masking)
        var output = PieceOutput()
        if let found, let find {
          let lines = text.lines(found.matches, text: find, isCut: found.isCut, of: opened.container)
          for line in lines { try output.print(paper.text(line)) }
        } else {
          try text.write(opened.container, stores: stores) { try output.print(paper.text($0)) }
        }
        try output.finish()
      }
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
      // As grep does, so that a script can ask.
      if found?.matches.isEmpty == true { throw ExitCode(ExitStatus.error.rawValue) }
    }
  }

  private func write(_ output: SDKsOutput, _ masking: Masking) throws {
    guard store.isEmpty, key.isEmpty, find == nil, !all else {
      throw CommandFailure.usage("--sdks lists no stores, so --store, --key, --find and --all cannot be used with it.")
    }
    try printing.paper.print(json: json, output.json, masking) { output.write(to: &$0, path: container.path) }
  }

  private func chosen(_ container: Container) throws -> [InspectedStore] {
    let named = Set(bytesOf: store.flatMap { container.stores(named: $0) }.map(\.path))
    let stores = container.stores.filter { store.isEmpty || named.contains($0.path) }
    guard !stores.isEmpty || store.isEmpty else {
      throw CommandFailure.usage(
        "The container has no store \(store.joined(separator: " or ")). Without --store, inspect lists all.")
    }
    let chosen = stores.map { InspectedStore($0, names: Set(bytesOf: key)) }
    guard !key.isEmpty else { return chosen }
    let having = chosen.filter { !$0.isEmpty }
    guard !having.isEmpty else {
      throw CommandFailure.usage(
        "These stores have no key \(key.joined(separator: " or ")). --key takes top-level keys; --find searches all.")
    }
    return having
  }

  private func search(_ stores: [Store], _ text: String) -> (matches: [InspectedSearch.Match], isCut: Bool) {
    let search = InspectedSearch(stores, for: text, hides: Secrets.holds)
    var matches = search.matches
    let keys = Set(bytesOf: key)
    if !keys.isEmpty {
      matches.removeAll { match in match.path.labels.first?.name.map({ keys.contains($0) }) != true }
    }
    return (matches, search.isCut)
  }

  private func narrowed(_ stores: [InspectedStore], to matches: [InspectedSearch.Match]) -> [InspectedStore] {
    var labels: [StringByBytes: Set<InspectedChild.Label>] = [:]
    for match in matches { labels[match.path.store, default: []].formUnion(match.path.labels.prefix(1)) }
    return stores.compactMap { store in
      guard let labels = labels[store.store.path] else { return nil }
      var narrowed = store
      narrowed.keep { labels.contains($0.label) }
      return narrowed
    }
  }
}

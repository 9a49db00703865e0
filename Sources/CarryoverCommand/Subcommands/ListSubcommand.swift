import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

struct ListSubcommand: PathCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the containers at a path: in a folder, an archive or a device backup.",
    discussion: "Pass a path from the list to --container, or a bundle id to --app. Nothing is written.")

  @Argument(help: "A folder, an archive or a device backup.", completion: .file())
  var path: String
  var firstPath: String { path }
  @Option(
    help: ArgumentHelp(
      "List only containers whose bundle id matches this, including empty ones. * stands for any text: 'com.acme*'.",
      valueName: "pattern"))
  var app: String?
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.list/1.") var json = false

  func run() throws {
    try reporting(redacting) { masking in
      var options = ContainerOptions()
      // The pattern shortens the list, so the search may find more.
      if app != nil { options.limits.search.candidates = 20_000 }
      var listing = try Edge.observed { observer in
        let opener = ContainerOpener(fileSystem: POSIXFileSystem(), observer: observer)
        var listing = try opener.containers(at: path, options: options)
        for index in listing.candidates.indices where listing.candidates[index].kind == nil {
          let archive = FilePath.join(path, listing.candidates[index].path)
          listing.candidates[index].bundleID = try opener.bundleID(ofArchiveAt: archive)
        }
        return listing
      }
      if let app {
        let (glob, all) = (Glob(app), listing.candidates)
        listing.candidates = all.filter { $0.bundleID.map(glob.matches) ?? false }
        if listing.candidates.isEmpty { throw ContainerError(path, .noSuchApp(app, all)) }
      }
      try printing.paper.print(json: json, Self.json(listing), masking) {
        Self.write(listing, withEmpty: app != nil, to: &$0)
      }
    }
  }

  static func json(_ listing: ContainerListing) -> JSONValue {
    .object([
      "schema": "carryover.list/1",
      "wrapper": listing.wrapper.map { JSONValue.object(["form": $0.form.rawValue, "path": $0.path]) },
      "containers": listing.candidates.map(container), "empty": listing.candidates.count { $0.files == 0 },
      "more": listing.more, "notices": listing.notices,
    ])
  }

  /// - Parameter withEmpty: whether to list containers without files, which are otherwise counted.
  static func write(_ listing: ContainerListing, withEmpty: Bool, to page: inout PageWriter) {
    let shown = withEmpty ? listing.candidates : listing.candidates.filter { $0.files != 0 }
    // In a backup, the path is the app.
    let hasApps = shown.contains { $0.path != $0.bundleID }
    // A path is to be copied into --container, so it is never cut.
    var columns: [Table.Column] = [.init(.whole, "path", .head)]
    if hasApps { columns.append(.init(.whole, "app", .head)) }
    columns += [
      .init(.value, "name"), .init(.whole, "form", .head), .init(.whole, "files"),
      .init(.whole, "missing"), .init(.value, "groups", isOptional: true),
    ]
    var table = Table(columns, heading: true)
    for candidate in shown {
      var cells: Pieces = [candidate.path.isEmpty ? .text(".") : .name(candidate.path)]
      if hasApps { cells.append(candidate.bundleID.map { .name($0) } ?? .text("unknown")) }
      cells += [
        .name(candidate.ownName ?? ""), .text(candidate.form),
        .text(candidate.files.map(String.init) ?? ""), .text(candidate.missing == 0 ? "" : "\(candidate.missing)"),
        .name(candidate.groups.joined(separator: ", ")),
      ]
      table.add(cells)
    }
    page.add(table)
    let empty = listing.candidates.count - shown.count
    if empty > 0 {
      page.add("\(empty) \(empty == 1 ? "container is" : "containers are") empty: --app '*' lists all.")
    }
    if listing.more > 0 { page.add("and \(listing.more) more, which are not listed") }
    for notice in listing.notices { page.add(.warning, notice) }
  }

  private static func container(_ candidate: ContainerCandidate) -> JSONValue {
    .object([
      "path": candidate.path, "kind": candidate.form, "bundleID": candidate.bundleID, "name": candidate.name,
      "files": candidate.files, "missing": candidate.missing, "groups": candidate.groups,
    ])
  }
}

struct ExtractSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Extracts an app's files from a backup or an archive, or from every archive in a folder.",
    discussion: """
      A container's folder appears under its name only when it is complete. Skipped files are listed at the end.

      If PATH is a folder, or an archive of several containers, Carryover extracts each one that is in an archive to a \
      folder of its own in the new folder. To migrate them all, run carryover apply on the new folder. A failure in one does not stop the \
      others. The exit status is the worst of all. Only --json lists the skipped files.
      """)

  @OptionGroup var container: ContainerArguments
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The folder to make; it must not exist yet.", valueName: "dir"), completion: .directory)
  var output: String
  @Flag(help: "Also extract .carryover folders: the runs, backups and decisions of the archive's or backup's author.")
  var withState = false
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(
    help: "Print what was done as JSON, schema carryover.extract/1; for several containers, carryover.extractions/1.")
  var json = false

  func run() throws {
    try reporting(redacting) { masking in
      do {
        try one(masking)
      } catch let error as ContainerError where container.isExtractedWhole(after: error) {
        try all()
      }
    }
  }

  private func one(_ masking: Masking) throws {
    let opened = try container.open(masking)
    let report = try Edge.endable { observer in
      try ContainerExtractor(fileSystem: POSIXFileSystem(), observer: observer).extract(
        opened, to: output, withState: withState)
    }
    try printing.paper.print(json: json, report.json, masking) { Self.write(report, to: &$0) }
  }

  private func all() throws {
    let batch = ExtractionBatch(
      inputs: try container.inputs([container.path]), output: output, withState: withState, redacting: redacting)
    try ThisProcess.uninterrupted {
      let made = try batch.run()
      try printing.paper.print(json: json, made.json) { $0.add(made.blocks) }
      // Reported before a pending signal ends the process.
      if let failure = made.failure { throw failure.reported(redacting.masking) }
    }
  }

  static func write(_ report: ExtractionReport, to page: inout PageWriter) {
    page.add("Extracted to \(report.destination): \(report.amount).")
    if report.isFile { page.add("The container is \(report.container).") }
    guard !report.leftOut.isEmpty else { return }
    page.blank()
    page.add("Skipped: \(report.leftOut.count)")
    for left in report.leftOut.prefix(shown) { page.add(.omitted, left.description, indent: 2) }
    if report.leftOut.count > shown {
      page.add("and \(report.leftOut.count - shown) more; --json lists all of them", indent: 2)
    }
  }

  private static let shown = 200
}

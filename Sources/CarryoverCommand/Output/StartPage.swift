import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// What `carryover` says without arguments: what it is, which containers are in this folder, and how to begin.
enum StartPage {
  static func print() throws {
    var page = Paper().page()
    write(containers(), to: &page)
    try Console.print(page)
  }

  private static func write(_ listing: ContainerListing?, to page: inout TextPage) {
    page.add("Carryover \(Version.text) shows what an app's legacy SDK has stored on a device, and migrates it.")
    let found = listing?.candidates ?? []
    if !found.isEmpty {
      page.blank()
      page.add("In this folder:")
      var table = Table(
        [Table.Column(.whole, "", .head), Table.Column(.whole, "", .head)], indent: 2, glyphs: page.ink.glyphs)
      for candidate in found.prefix(most) {
        table.add([
          Span(page.ink.name(path(candidate))),
          Span(candidate.bundleID.map { page.ink.name($0) } ?? "unknown app", .muted),
        ])
      }
      page.add(table)
      let more = max(0, found.count - most) + (listing?.more ?? 0)
      if more > 0 { page.add("and \(more) more: carryover list .", indent: 2) }
    }
    page.blank()
    page.add("To begin:")
    let path = found.first.map { ShellCommand.quoted(Self.path($0)) } ?? "PATH"
    for (command, does) in [
      ("carryover \(path)", "reviews a container in the terminal"),
      ("carryover plan \(path)", "shows what would be migrated, and writes nothing"),
      ("carryover help", "lists every command"),
    ] {
      page.line([Span("  " + command)])
      page.add([Span(does, .muted)], indent: 6)
    }
  }

  /// The containers in the working folder; nil where finding them takes long.
  private static func containers() -> ContainerListing? {
    let start = ContinuousClock.now
    let observer = OpeningObserver { _ in ContinuousClock.now - start < .milliseconds(300) }
    return try? ContainerOpener(fileSystem: POSIXFileSystem(), observer: observer).containers(at: ".")
  }

  private static func path(_ candidate: ContainerCandidate) -> String {
    candidate.path.isEmpty ? "." : candidate.path
  }

  /// How many containers are listed.
  private static let most = 5
}

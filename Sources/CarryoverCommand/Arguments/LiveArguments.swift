import ArgumentParser
import Carryover

/// The permission to write to a container that may be in use, for every command that writes.
struct LiveArguments: ParsableArguments {
  @Flag(help: "Write even to a container of a simulator or of this Mac's own library. Stop the app first.")
  var live = false

  /// Codes of blocking findings that are allowed by name.
  var allowed: Set<FindingCode> { live ? [.liveRunningStore] : [] }
}

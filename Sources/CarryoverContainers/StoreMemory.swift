import Carryover
import CarryoverSystem

/// What was read of files, so that reading a container again reads only the files that have changed since.
///
/// A file has not changed if its status is the same. While it is so young that a change could leave its status as it
/// is, it counts as changed. Files whose file system does not say when they changed are never remembered.
final class StoreMemory: Sendable {
  enum Content: Sendable {
    case store(Store)
    /// Not a store; what the file begins like.
    case other(UnreadFiles.Form?)
  }

  private struct Entry: Sendable {
    var states: [FileStatus?]
    var content: Content
    var isSettled: Bool
  }

  private struct State: Sendable {
    var now = Moment(secondsSince1970: 0)
    var entries: [StringByBytes: Entry] = [:]
    var fresh: Set<StringByBytes> = []
    var used: Set<StringByBytes> = []
  }

  private let state = Locked(State())

  /// Begins to read the container again.
  func begin(at now: Moment) {
    state.withLock { state in
      (state.now, state.fresh, state.used) = (now, [], [])
    }
  }

  /// Forgets the files that were not met since the beginning.
  func end() {
    state.withLock { state in
      let used = state.used
      state.entries = state.entries.filter { used.contains($0.key) }
    }
  }

  /// The stores that were read since the beginning.
  var fresh: Set<StringByBytes> { state.withLock { $0.fresh } }

  /// - Parameters:
  ///   - states: those of the file and of the files that belong to it.
  ///   - tables: whether all tables of a database are wanted, and not what recipes read of it.
  func recall(_ path: String, _ states: [FileStatus?], tables: Bool = false) -> Content? {
    state.withLock { state in
      let path = Self.name(path, tables)
      state.used.insert(path)
      guard let entry = state.entries[path], entry.isSettled, entry.states == states else { return nil }
      return entry.content
    }
  }

  /// No path contains the mark.
  private static func name(_ path: String, _ tables: Bool) -> StringByBytes {
    StringByBytes(tables ? path + "\u{0}" : path)
  }

  func remember(_ path: String, _ states: [FileStatus?], _ content: Content, tables: Bool = false) {
    state.withLock { state in
      if case .store = content { state.fresh.insert(StringByBytes(path)) }
      let path = Self.name(path, tables)
      state.used.insert(path)
      let known = states.compactMap { $0?.changes }
      guard !known.contains(FileStatus.Changes()) else { return }
      let isSettled = known.allSatisfy { $0.isOld(at: state.now) }
      state.entries[path] = Entry(states: states, content: content, isSettled: isSettled)
    }
  }
}

extension FileStatus.Changes {
  /// Whether a later change would show in the status. Systems note the time of a change to a few milliseconds, some file
  /// systems only to a second or two.
  func isOld(at now: Moment) -> Bool {
    let isExact = content % 1_000_000_000 != 0 || attributes % 1_000_000_000 != 0
    let age = now.millisecondsSince1970.subtractingReportingOverflow(max(content, attributes) / 1_000_000)
    // A time in the future is that of another clock.
    return age.overflow || age.partialValue >= (isExact ? 100 : 2_500) || age.partialValue < -5_000
  }

  /// Whether the file may still be being written.
  func isRecent(at now: Moment) -> Bool {
    let age = now.millisecondsSince1970.subtractingReportingOverflow(max(content, attributes) / 1_000_000)
    return !age.overflow && abs(age.partialValue) < 5_000
  }
}

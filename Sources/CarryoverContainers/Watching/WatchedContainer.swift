import Carryover
import CarryoverSystem

/// A container whose changed files are read again.
///
/// A file that cannot be read, or is missing, may be in the middle of being written. It counts as it was before until
/// that has lasted for a second. One that still cannot be read then is reported, and compared with its last content once
/// it can be read again.
struct WatchedContainer: Sendable {
  typealias News = ContainerWatch.News.Kind

  private enum Doubt: Sendable {
    case since(Moment)
    case reported
  }

  private let path: String
  private let options: ContainerOptions
  private let fileSystem: any FileSystem
  private let memory = StoreMemory()
  private var footprint = Footprint()
  private var doubts: [StringByBytes: Doubt] = [:]
  /// The time at which the container could no longer be opened, and whether that was reported.
  private var failing: Doubt?
  /// As it was reported; nil while it has never been opened.
  private(set) var container: Container?
  /// Whether there are containers in what was empty at first.
  private(set) var holdsContainers = false

  /// How long a file, or the container, has to be missing or unreadable before that is reported, in milliseconds.
  static let patience: Int64 = 1_000

  init(_ path: String, _ options: ContainerOptions, _ fileSystem: any FileSystem) {
    (self.path, self.options, self.fileSystem) = (path, options, fileSystem)
  }

  /// Opens it for the first time.
  mutating func open(at now: Moment) throws(ContainerError) -> Container {
    let new = try read(at: now)
    container = new
    return new
  }

  /// - Returns: what has changed since the last poll, and whether anything was read.
  mutating func look(at now: Moment) -> (news: [News], hasRead: Bool) {
    let isDoubtful = doubts.values.contains { if case .since = $0 { true } else { false } }
    guard footprint.isEmpty || footprint.isUnsettled || isDoubtful || isFailing || footprint.hasChanged(fileSystem)
    else {
      return ([], false)
    }
    do throws(ContainerError) {
      let new = try read(at: now)
      failing = nil
      guard let old = container else {
        container = new
        return ([.appeared(new)], true)
      }
      return (take(new, after: old, at: now), true)
    } catch {
      return (fail(error, at: now), true)
    }
  }

  /// Whether it was reported that it can no longer be opened.
  var isGone: Bool { if case .reported? = failing { true } else { false } }

  private var isFailing: Bool { if case .since? = failing { true } else { false } }

  private mutating func fail(_ error: ContainerError, at now: Moment) -> [News] {
    // An empty folder has only one piece of news: that it is gone.
    guard container != nil || error.kind == .notFound else {
      if case .holdsContainers = error.kind { holdsContainers = true }
      failing = nil
      return []
    }
    switch failing {
    case nil: failing = .since(now)
    case .since(let start) where now.isLater(than: start, by: Self.patience):
      failing = .reported
      return [.vanished(reason: error.description)]
    case .since, .reported: break
    }
    return []
  }

  private mutating func read(at now: Moment) throws(ContainerError) -> Container {
    memory.begin(at: now)
    let noting = FootprintFileSystem(fileSystem)
    noting.depend(on: path)
    defer { footprint = noting.footprint(after: footprint, at: now) }
    var opened = try ContainerOpener(fileSystem: noting, memory: memory).opened(path, options: options)
    try opened.countUnread(limits: options.limits, memory: memory)
    if let wrapper = opened.container.wrapper { noting.depend(on: wrapper.path) }
    memory.end()
    return opened.container
  }

  private mutating func take(_ new: Container, after old: Container, at now: Moment) -> [News] {
    var news: [News] = []
    var after = new
    var places: [StringByBytes: Int] = [:]
    for (place, store) in new.stores.enumerated() { places[StringByBytes(store.path)] = place }
    var changed = memory.fresh
    for store in old.stores where store.problem == nil {
      let path = StringByBytes(store.path)
      let place = places[path]
      let reason = place.map { new.stores[$0].problem }
      // It is there, and can be read.
      if case .some(nil) = reason {
        doubts[path] = nil
        continue
      }
      let isHeld: Bool
      switch doubts[path] {
      case nil:
        doubts[path] = .since(now)
        isHeld = true
      case .since(let start) where now.isLater(than: start, by: Self.patience):
        if case .some(.some(let reason)) = reason {
          news.append(.unreadable(path: store.path, reason: reason))
          doubts[path] = .reported
          isHeld = true
        } else {
          doubts[path] = nil
          isHeld = false
        }
      case .since: isHeld = true
      case .reported: isHeld = place != nil
      }
      guard isHeld else {
        changed.insert(path)
        continue
      }
      changed.remove(path)
      if let place { after.stores[place] = store } else { after.stores.append(store) }
    }
    after.stores.sort { PathText.precedes($0.path, $1.path) }
    container = after
    let before = old.only(changed)
    let now = after.only(changed)
    if !before.stores.isEmpty || !now.stores.isEmpty { news.append(.changed(before: before, after: now)) }
    return news
  }
}

extension Container {
  /// With these stores, as far as they can be read.
  fileprivate func only(_ paths: Set<StringByBytes>) -> Container {
    var container = self
    container.stores = stores.filter { $0.problem == nil && paths.contains(StringByBytes($0.path)) }
    return container
  }
}

extension Moment {
  func isLater(than start: Moment, by milliseconds: Int64) -> Bool {
    let age = millisecondsSince1970.subtractingReportingOverflow(start.millisecondsSince1970)
    // If the clock was set back, nobody waits longer.
    return age.overflow || age.partialValue >= milliseconds || age.partialValue < 0
  }
}

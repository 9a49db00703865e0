package import Carryover
package import CarryoverSystem

/// Waits for changes in a container, or in the containers of a folder, by polling the states of files. Nothing is
/// written, and a file is read only if its state has changed.
package struct ContainerWatch: Sendable {
  package struct News: Sendable {
    package enum Kind: Sendable {
      /// The stores that were read again, before and after. They may be equal.
      case changed(before: Container, after: Container)
      case unreadable(path: String, reason: String)
      /// A container was added to the folder, or can be opened again.
      case appeared(Container)
      case vanished(reason: String)
    }

    /// The container's path in the folder that is watched; empty for a container that is watched by itself.
    package var container: String
    package var kind: Kind
  }

  private let path: String
  private let options: ContainerOptions
  private let fileSystem: any FileSystem
  private var watched: [(path: String, container: WatchedContainer)] = []
  private var arriving: [Arrival] = []
  /// What the list of the containers in a folder depends on; nil if a single container is watched.
  private var listing: Footprint?
  private var listed: Set<StringByBytes> = []
  /// The containers in the folder beyond the list.
  private var more = 0

  private struct Arrival: Sendable {
    var path: String
    var container: WatchedContainer
    /// The time of the last change in it: it may still be being copied.
    var quiet: Moment
  }

  /// The number of containers of a folder that are watched.
  private static let mostContainers = 200

  /// - Parameters:
  ///   - path: what ``ContainerOpener`` opens, or a folder with containers.
  ///   - fileSystem: the disk.
  /// - Throws: an error if there is neither a container nor a folder with containers, or a container has to be selected.
  package init(
    _ path: String, options: ContainerOptions, fileSystem: any FileSystem, now: Moment
  ) throws(ContainerError) {
    (self.path, self.options, self.fileSystem) = (path, options, fileSystem)
    var single = WatchedContainer(path, options, fileSystem)
    do throws(ContainerError) {
      _ = try single.open(at: now)
      watched = [("", single)]
    } catch {
      // The app has not written anything yet.
      if error.kind == .emptyFolder, options.selection == nil {
        watched = [("", single)]
        return
      }
      guard case .holdsContainers = error.kind, options.selection == nil else { throw error }
      // In an archive or a backup, one has to be selected.
      guard let found = try list(at: now) else { throw error }
      listed = Set(bytesOf: found)
      for path in found.prefix(Self.mostContainers) {
        var container = watch(path)
        if (try? container.open(at: now)) != nil {
          watched.append((path, container))
        } else {
          arriving.append(Arrival(path: path, container: container, quiet: now))
        }
      }
    }
  }

  /// The containers that are watched, by path.
  package var containers: [(path: String, container: Container)] {
    watched.compactMap { path, watched in watched.container.map { (path, $0) } }
  }

  package var isOfFolder: Bool { listing != nil }

  /// The number of containers in the folder that are not watched, because there are too many.
  package var notWatched: Int {
    let known = Set(bytesOf: watched.map(\.path) + arriving.map(\.path))
    return listed.subtracting(known).count + more
  }

  private func watch(_ path: String) -> WatchedContainer {
    var options = options
    options.selection = .path(path)
    return WatchedContainer(self.path, options, fileSystem)
  }

  /// The paths of the containers in the folder; nil if it is not a folder on the disk.
  private mutating func list(at now: Moment) throws(ContainerError) -> [String]? {
    let noting = FootprintFileSystem(fileSystem)
    noting.depend(on: path)
    defer { listing = noting.footprint(after: listing, at: now) }
    let found = try ContainerOpener(fileSystem: noting).containers(at: path, options: options)
    more = found.more
    return found.wrapper == nil ? found.candidates.map(\.path) : nil
  }

  /// What has changed since the last poll.
  package mutating func look(at now: Moment) -> [News] {
    var news: [News] = []
    for index in watched.indices {
      let path = watched[index].path
      news += watched[index].container.look(at: now).news.map { kind in
        // A folder that was empty at first has no containers to list: its stores are what is new.
        guard case .appeared(let container) = kind, listing == nil else { return News(container: path, kind: kind) }
        return News(container: path, kind: .changed(before: container.withoutStores, after: container))
      }
    }
    if listing == nil, watched.first?.container.holdsContainers == true { (watched, listing) = ([], Footprint()) }
    if let listing { lookAtFolder(listing, at: now, &news) }
    return news
  }

  private mutating func lookAtFolder(_ listing: Footprint, at now: Moment, _ news: inout [News]) {
    if listing.isEmpty || listing.isUnsettled || listing.hasChanged(fileSystem), let found = try? list(at: now) {
      listed = Set(bytesOf: found)
      arriving.removeAll { !listed.contains($0.path) }
      let known = Set(bytesOf: watched.map(\.path) + arriving.map(\.path))
      for path in found where !known.contains(path) && watched.count + arriving.count < Self.mostContainers {
        arriving.append(Arrival(path: path, container: watch(path), quiet: now))
      }
    }
    // A container that is gone is reported first, once it can no longer be opened.
    watched.removeAll { !listed.contains($0.path) && $0.container.isGone }
    for index in arriving.indices.reversed() {
      if arriving[index].container.look(at: now).hasRead { arriving[index].quiet = now }
      guard let container = arriving[index].container.container,
        now.isLater(than: arriving[index].quiet, by: WatchedContainer.patience)
      else { continue }
      let arrival = arriving.remove(at: index)
      watched.append((arrival.path, arrival.container))
      news.append(News(container: arrival.path, kind: .appeared(container)))
    }
  }
}

extension Container {
  fileprivate var withoutStores: Container {
    var container = self
    container.stores = []
    return container
  }
}

/// The clock of a watch; tests pass their own.
package struct WatchClock {
  package var now: () -> Moment
  /// How long the process has used a processor.
  package var processorTime: () -> Duration
  /// Waits; false ends the watch.
  package var sleep: (Duration) -> Bool

  package init(
    now: @escaping () -> Moment, processorTime: @escaping () -> Duration, sleep: @escaping (Duration) -> Bool
  ) {
    (self.now, self.processorTime, self.sleep) = (now, processorTime, sleep)
  }

  /// Polls four times a second, with at most 1% of a processor.
  static func pause(after used: Duration) -> Duration { max(.milliseconds(250), min(used * 100, .seconds(30))) }
}

extension ContainerWatch {
  /// Polls until the clock ends it.
  package mutating func run(_ clock: WatchClock, _ take: (ContainerWatch, Moment, [News]) throws -> Void) rethrows {
    var used = clock.processorTime()
    while clock.sleep(WatchClock.pause(after: clock.processorTime() - used)) {
      used = clock.processorTime()
      let now = clock.now()
      let news = look(at: now)
      if !news.isEmpty { try take(self, now, news) }
    }
  }
}

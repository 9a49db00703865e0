import Carryover
import CarryoverSystem

/// A path that was looked up. The archive or the backup on it is read once, however many of its containers are opened.
package struct LocatedPath {
  /// The path as it was given, cleaned.
  let given: String
  let place: Place
  let finder: PlaceFinder

  /// Opens the container at the path, or the selected one in it.
  /// - Throws: `ContainerError` if it cannot be opened, or if a container has to be selected.
  package func opened(_ selection: ContainerSelection?) throws(ContainerError) -> OpenedContainer {
    try naming { () throws(ContainerError) in
      let choice = ContainerChoice(finder: finder, selection: selection)
      let chosen = try choice.chosen(at: place)
      let reading = ContainerReading(place: chosen.place, options: finder.options, observer: finder.observer)
      var container = try reading.container(chosen.form)
      if let name = name(of: container) { container.name = name }
      container.wrapper = chosen.place.wrapper
      container.notices = chosen.place.notices + container.notices
      container.liveness = container.wrapper == nil ? liveness(of: container) : nil
      try choice.check(container)
      return OpenedContainer(container: container, fileSystem: chosen.place.fileSystem, place: chosen.place)
    }
  }

  /// The containers at the path, to choose from. If the path itself is a container, only that one.
  /// - Throws: `ContainerError` if the path can be neither opened nor searched, or has no container.
  func listing() throws(ContainerError) -> ContainerListing {
    try naming { () throws(ContainerError) in try ContainerChoice(finder: finder, selection: nil).listing(at: place) }
  }

  /// Makes errors name the path as the user gave it.
  private func naming<Result>(_ body: () throws(ContainerError) -> Result) throws(ContainerError) -> Result {
    do throws(ContainerError) {
      return try body()
    } catch {
      throw error.path == place.path ? ContainerError(given, error.kind) : error
    }
  }

  /// The name of the container's folder in the given path; nil if the path does not contain it.
  private func name(of container: Container) -> String? {
    guard container.kind != .propertyList else { return nil }
    guard container.root == place.path || container.root == PathText.parent(place.path) else { return nil }
    let name = PathText.lastComponent(container.root == place.path ? given : PathText.parent(given))
    return name == ".." || name == "." ? nil : name
  }

  /// The live system that the container's app data belongs to, by its real path; nil if none. A single property list in
  /// a home folder does not make that home's preferences part of the container.
  private func liveness(of container: Container) -> Liveness? {
    let home = finder.options.home.map { (try? finder.fileSystem.resolve($0)) ?? $0 }
    let data = container.kind == .propertyList ? container.name : container.dataFolder
    return Liveness(ofDataAt: PathText.join(container.root, data), home: home)
  }
}

import Carryover
import CarryoverContainers
import CarryoverSystem

/// A container of a batch, or an input that cannot be opened as one.
struct BatchInput {
  /// The arguments of a command about this container alone.
  var container: ContainerArguments
  /// The path as it is shown.
  var shown: String
}

extension ContainerArguments {
  /// Whether an error says that the path is a folder with several containers, which a batch is made of.
  func isFolder(of error: ContainerError) -> Bool {
    guard choosing.container == nil, choosing.app == nil,
      case .holdsContainers(let candidates, let more) = error.kind, candidates.count + more > 1,
      let listing = try? ContainerOpener().containers(at: path)
    else { return false }
    return listing.wrapper == nil
  }

  /// The containers, archives and backups at several paths, each once, in the order of the paths.
  /// - Throws: a usage error for options that choose one container, an error where there is nothing at a path.
  func inputs(_ paths: [String]) throws -> [BatchInput] {
    _ = try options()
    if choosing.container != nil || choosing.app != nil {
      throw CommandFailure.usage(
        "\(choosing.app == nil ? "--container" : "--app") chooses one container; give the paths of the others alone.")
    }
    let absent = paths.lazy.compactMap { ContainerOpener().absence(of: $0) }
    if let error = absent.first { throw error }
    if paths.count > 1 { try requireNoPlan(paths) }
    var found = AuditInputs(paths)
    var inputs: [BatchInput] = []
    while let input = found.next() {
      var container = self
      container.path = input.path
      inputs.append(BatchInput(container: container, shown: input.shown))
    }
    guard !inputs.isEmpty else { throw CommandFailure("There is no container at these paths.", .error) }
    return inputs
  }

  /// A plan names its container and has decisions of its own, which suit no other.
  private func requireNoPlan(_ paths: [String]) throws {
    let files = SavedPlanFile(fileSystem: POSIXFileSystem())
    guard let plan = try paths.first(where: { try files.read($0) != nil }) else { return }
    throw CommandFailure.usage(
      "“\(DisplayText.visible(plan))” is a saved plan. Apply saved plans one at a time: each has its own container and "
        + "decisions.")
  }
}

extension BatchInput {
  /// The containers of an archive or a backup with several, which are only read; nil for any other error.
  func wrapped(_ error: any Error, _ masking: Masking, isRollback: Bool) -> [BatchOutcome]? {
    guard let error = error as? ContainerError, case .holdsContainers(_, more: 0) = error.kind,
      let listing = try? ContainerOpener().containers(at: container.path), let wrapper = listing.wrapper
    else { return nil }
    let failure = CommandFailure(RunError.wrapped(wrapper))
    return listing.candidates.map { candidate in
      BatchOutcome(
        path: FilePath.join(shown, candidate.path), result: isRollback ? .notInBatch : .failed(failure),
        masking: masking)
    }
  }
}

import Carryover
import CarryoverContainers
import CarryoverCurses
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// Gathers the facts for `carryover doctor`.
enum Surroundings {
  /// - Parameters:
  ///   - path: whose file system is tried; nil for the one of the user's key.
  ///   - configuration: the configuration to look at.
  static func facts(_ path: String?, _ configuration: ConfigurationArguments) throws -> DoctorFacts {
    let files = POSIXFileSystem()
    var facts = DoctorFacts()
    facts.terminalName = Console.environment("TERM")
    facts.isTerminal = Console.inputIsTerminal && Console.outputIsTerminal
    facts.description = facts.terminalName.flatMap { TerminalDescription($0) }
    facts.size = Console.size
    facts.noColor = Console.environment("NO_COLOR")?.isEmpty == false
    facts.isAccessible = Console.isAccessibleByEnvironment
    facts.locale = Console.localeName
    facts.localeIsUTF8 = Console.localeIsUTF8
    facts.archiveLibrary = ArchiveSupport.library
    facts.opensWithoutLinks = POSIXFileSystem.opensWithoutLinks
    let key = Edge.keyPath
    if let folder = try folder(path, files) ?? key.flatMap({ nearest(to: $0, files) }) {
      facts.folder = folder
      facts.disk = DiskStatus(of: folder)
      facts.probe = ThisProcess.uninterrupted { files.probe(folder) }
    }
    facts.key = Self.key(key)
    facts.configuration = Self.configuration(configuration)
    facts.editor = program("VISUAL", "EDITOR", files: files)
    facts.pager = program("PAGER", files: files)
    return facts
  }

  /// The folder that a path names, or that the file there is in.
  private static func folder(_ path: String?, _ files: POSIXFileSystem) throws -> String? {
    guard let path else { return nil }
    let place = try files.resolve(path)
    return try files.status(place)?.kind == .directory ? place : FilePath.folder(of: place)
  }

  /// The nearest folder to a path that is there.
  private static func nearest(to path: String, _ files: POSIXFileSystem) -> String? {
    var folder = FilePath.folder(of: path)
    while true {
      if let place = try? files.resolve(folder) { return place }
      let parent = FilePath.folder(of: folder)
      guard parent != folder else { return nil }
      folder = parent
    }
  }

  private static func key(_ path: String?) -> DoctorFacts.Standing {
    do {
      guard let path, try Edge.key.existing() != nil else { return .missing(path) }
      return .valid(path)
    } catch {
      return .invalid(error.description)
    }
  }

  private static func configuration(_ arguments: ConfigurationArguments) -> DoctorFacts.Standing {
    do {
      let loaded = try arguments.read()
      guard loaded.exists, let path = loaded.path else { return .missing(loaded.path) }
      return .valid(path)
    } catch {
      return .invalid(CommandFailure(error).sentence)
    }
  }

  private static func program(_ variables: String..., files: POSIXFileSystem) -> DoctorFacts.Program {
    let command = variables.lazy.compactMap { Console.environment($0) }.first { !$0.isEmpty }
    let name = command?.split(separator: " ").first.map(String.init)
    return DoctorFacts.Program(
      variables: variables.joined(separator: ", "), command: command,
      isFound: name.map { isFound($0, files) } ?? false)
  }

  private static func isFound(_ name: String, _ files: POSIXFileSystem) -> Bool {
    let isPath = name.utf8.contains(UInt8(ascii: "/"))
    let folders = isPath ? [] : (Console.environment("PATH") ?? "").split(separator: ":").map(String.init)
    let places = isPath ? [name] : folders.map { FilePath.join($0, name) }
    return places.contains { place in
      guard let resolved = try? files.resolve(place), let status = try? files.status(resolved) else { return false }
      return status.kind == .regular && status.mode & 0o111 != 0
    }
  }
}

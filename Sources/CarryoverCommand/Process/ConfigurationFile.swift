import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

struct LoadedConfiguration {
  /// Nil if no file is looked for.
  var path: String?
  var exists: Bool
  var configuration: Configuration
}

struct ConfigurationFile {
  let path: String?
  /// What names the file, as the end of a sentence; nil for the usual file.
  let source: String?

  /// In bytes: several times what the names of all keys take.
  static let limit = 1 << 16

  static let mostProblems = 50

  init(named option: String?, isWanted: Bool) {
    let named = Console.variable("CARRYOVER_CONFIG")
    if !isWanted {
      (path, source) = (nil, nil)
    } else if let option {
      (path, source) = (option, "")
    } else if let named {
      (path, source) = (named, ", which CARRYOVER_CONFIG names")
    } else {
      (path, source) = (Self.usualPath, nil)
    }
  }

  /// According to the XDG base directories, a relative path is ignored.
  private static var usualPath: String? {
    if let folder = Console.environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return folder + "/carryover/config"
    }
    guard let home = Console.environment("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.config/carryover/config"
  }

  /// That the usual file is missing is no error.
  func load() throws -> LoadedConfiguration {
    guard let path, let bytes = try bytes(path) else {
      return LoadedConfiguration(path: path, exists: false, configuration: Configuration())
    }
    let parser = ConfigurationParser(bytes)
    guard parser.problems.isEmpty else { throw CommandFailure.usage(Self.sentences(parser.problems, path)) }
    return LoadedConfiguration(path: path, exists: true, configuration: parser.configuration)
  }

  private func bytes(_ path: String) throws -> [UInt8]? {
    let system = POSIXFileSystem()
    do throws(FileSystemError) {
      if try system.status(path) != nil {
        // Settings are often links into another folder.
        return try system.read(system.resolve(path), limit: Self.limit).bytes
      }
    } catch {
      throw CommandFailure.usage("\(error.description) To start without a configuration, give --no-config.")
    }
    guard let source else { return nil }
    throw CommandFailure.usage(
      "There is no configuration at \(Self.shown(path))\(source). Give another with --config, or --no-config.")
  }

  private static func sentences(_ problems: [ConfigurationProblem], _ path: String) -> String {
    let count = problems.count == 1 ? "a problem" : "\(problems.count) problems"
    var lines = ["The configuration \(shown(path)) has \(count):"]
    lines += problems.prefix(mostProblems).map {
      "\(DisplayText.visible(path, limit: 400)):\($0.line): \($0.description)"
    }
    if problems.count > mostProblems { lines.append("… and \(problems.count - mostProblems) more.") }
    return lines.joined(separator: "\n")
  }

  private static func shown(_ path: String) -> String { "“\(DisplayText.visible(path, limit: 400))”" }
}

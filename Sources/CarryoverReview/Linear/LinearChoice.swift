package import Carryover
import CarryoverTerminal

/// A choice among the containers at a path, by prompts: a number, or a text that narrows the list.
package struct LinearChoice: Sendable {
  /// What a line leads to.
  package struct Step: Sendable {
    /// What is to be printed, a line each.
    package var lines: [String] = []
    /// The container that was chosen.
    package var chosen: ContainerCandidate?
    /// Whether the choice was left without one.
    package var isLeft = false
  }

  /// What asks for the next line.
  package let prompt = "Number of the container, text to look for, more, or quit: "

  private let candidates: [ContainerCandidate]
  private let place: String
  private let ink: Ink
  private let texts: [String]
  private var shown: [Int]
  private var said = 0

  /// How many are said at once.
  private static let page = 20

  /// A choice among containers.
  /// - Parameter place: What was opened, as the user named it.
  package init(_ candidates: [ContainerCandidate], place: String, options: ReviewOptions) {
    self.candidates = candidates
    self.place = place
    ink = Ink(options)
    texts = candidates.map { candidate in
      ([candidate.bundleID ?? "", candidate.name, candidate.path] + candidate.groups).joined(separator: "\n")
        .lowercased()
    }
    shown = Array(candidates.indices)
  }

  /// What is said first.
  package mutating func start() -> Step {
    var writer = LinearWriter(ink)
    writer.add("\(counted(candidates.count, "container")) at \(writer.path(place)). Which one is to be opened?")
    list(&writer)
    return Step(lines: writer.lines)
  }

  /// Takes a line.
  package mutating func take(line: String) -> Step {
    var writer = LinearWriter(ink)
    let text = LinearLine.trimmed(line).lowercased()
    switch text {
    case "": writer.say("Enter alone opens nothing.")
    case "q", "quit": return Step(lines: [ink.words("No container was opened.")], isLeft: true)
    case "m", "more":
      if said >= shown.count { writer.say("There are no more.") }
      list(&writer)
    case "all", "list":
      (shown, said) = (Array(candidates.indices), 0)
      list(&writer)
    default:
      if let number = Int(text) {
        if number > 0, candidates.indices.contains(number - 1) { return choosing(number - 1) }
        writer.say("There are \(counted(candidates.count, "container")), numbered from 1.")
        break
      }
      let words = text.split(separator: " ")
      let matches = candidates.indices.filter { index in words.allSatisfy { texts[index].contains($0) } }
      if matches.count == 1, let only = matches.first { return choosing(only) }
      if matches.isEmpty {
        writer.say("No container has that in its bundle id, name or path. list reads all of them.")
        break
      }
      (shown, said) = (matches, 0)
      writer.say("\(matches.count) of \(candidates.count) have that.")
      list(&writer)
    }
    return Step(lines: writer.lines)
  }

  private func choosing(_ index: Int) -> Step {
    let candidate = candidates[index]
    let name = ink.name(candidate.bundleID ?? candidate.name)
    return Step(lines: ["Opening \(index + 1), \(name)."], chosen: candidate)
  }

  private mutating func list(_ writer: inout LinearWriter) {
    for index in shown.dropFirst(said).prefix(Self.page) {
      let candidate = candidates[index]
      var parts = [writer.ink.name(candidate.bundleID ?? "unknown app")]
      if let name = candidate.ownName { parts.append(writer.ink.name(name)) }
      parts.append(candidate.kind.rawValue)
      if !candidate.filesText.isEmpty { parts.append("files: " + candidate.filesText) }
      if candidate.path != candidate.bundleID { parts.append(writer.path(candidate.path)) }
      writer.add("\(index + 1). \(parts.joined(separator: ", ")).")
    }
    said = min(shown.count, said + Self.page)
    if said < shown.count { writer.say("And \(shown.count - said) more: more reads on.") }
  }
}

/// One answer that can be typed at a prompt. What is understood and what the help says both come from these records.
struct LinearAnswer<Meaning: Sendable, State>: Sendable {
  /// The words for it: the one to be shown first, then shorter and other ones.
  let names: [String]
  /// What may follow, for the help, in capitals; nil where nothing may.
  let argument: String?
  /// Whether something has to follow.
  let needsArgument: Bool
  /// What it does, as a sentence.
  let help: String
  /// What it means, by what follows it.
  let meaning: @Sendable (String) -> Meaning
  /// Why it can do nothing now; nil when it can.
  let obstacle: @Sendable (State) -> String?

  init(
    _ names: String..., argument: String? = nil, needed: Bool = false, _ help: String,
    meaning: @escaping @Sendable (String) -> Meaning,
    unless obstacle: @escaping @Sendable (State) -> String? = { _ in nil }
  ) {
    self.names = names
    self.argument = argument
    needsArgument = needed
    self.help = help
    self.meaning = meaning
    self.obstacle = obstacle
  }

  init(
    _ names: String..., does help: String, _ meaning: Meaning,
    unless obstacle: @escaping @Sendable (State) -> String? = { _ in nil }
  ) {
    self.names = names
    argument = nil
    needsArgument = false
    self.help = help
    self.meaning = { _ in meaning }
    self.obstacle = obstacle
  }

  /// The word it is known by.
  var name: String { names.first ?? "" }

  /// The word with what may follow it: `go N or NAME`.
  var usage: String { argument.map { "\(name) \($0)" } ?? name }
}

/// The registry of every answer, by place.
enum LinearVocabulary {}

/// The answers at one place.
struct LinearAnswers<Meaning: Sendable, State>: Sendable {
  /// How a line was understood.
  enum Parse {
    /// As an answer, with what follows it.
    case answer(LinearAnswer<Meaning, State>, String)
    /// As a number by itself.
    case number(Int)
    /// As nothing: only blanks.
    case empty
    /// As the beginning of several answers.
    case ambiguous([LinearAnswer<Meaning, State>])
    /// As an answer that something has to follow.
    case lacksArgument(LinearAnswer<Meaning, State>)
    /// As an answer that nothing may follow.
    case hasArgument(LinearAnswer<Meaning, State>)
    /// Not at all.
    case unknown
  }

  let all: [LinearAnswer<Meaning, State>]
  private let byName: [String: Int]
  private let mostWords: Int

  init(_ all: [LinearAnswer<Meaning, State>]) {
    self.all = all
    byName = Dictionary(
      all.enumerated().flatMap { index, answer in answer.names.map { ($0, index) } },
      uniquingKeysWith: { first, _ in first })
    mostWords = all.flatMap(\.names).map { $0.split(separator: " ").count }.max() ?? 1
  }

  /// Understands a line: a name in full before the beginning of one, a longer name before a shorter.
  func parse(_ line: String) -> Parse {
    let text = LinearLine.trimmed(line)
    guard !text.isEmpty else { return .empty }
    if text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return Int(text).map(Parse.number) ?? .unknown }
    for count in stride(from: mostWords, through: 1, by: -1) {
      guard let (head, rest) = LinearLine.split(text, words: count) else { continue }
      if let index = byName[head] { return taking(all[index], rest) }
    }
    var candidates: [Int: String] = [:]
    for count in stride(from: mostWords, through: 1, by: -1) {
      guard let (head, rest) = LinearLine.split(text, words: count) else { continue }
      for (index, answer) in all.enumerated() where candidates[index] == nil {
        if answer.names.contains(where: { $0.count > 1 && $0.hasPrefix(head) }) { candidates[index] = rest }
      }
    }
    // What nothing may follow is not meant by a line that goes on, as long as something else can be.
    let fitting = candidates.filter { $0.value.isEmpty || all[$0.key].argument != nil }
    if !fitting.isEmpty { candidates = fitting }
    guard candidates.count <= 1 else { return .ambiguous(candidates.keys.sorted().map { all[$0] }) }
    return candidates.first.map { taking(all[$0.key], $0.value) } ?? .unknown
  }

  private func taking(_ answer: LinearAnswer<Meaning, State>, _ argument: String) -> Parse {
    if argument.isEmpty { return answer.needsArgument ? .lacksArgument(answer) : .answer(answer, "") }
    return answer.argument == nil ? .hasArgument(answer) : .answer(answer, argument)
  }
}

extension LinearAnswers.Parse {
  /// Why a line is no answer, as a sentence; nil where it is one.
  func complaint(_ ink: Ink) -> String? {
    switch self {
    case .answer, .number: nil
    case .empty: "Enter alone decides nothing. Type an answer; help lists them."
    case .ambiguous(let answers): "This could be \(Self.listed(answers.map(\.name))). Type more of it."
    case .lacksArgument(let answer): "Something has to follow: \(answer.usage)."
    case .hasArgument(let answer): "\(answer.name) takes nothing after it. Nothing was done."
    case .unknown: "This is no answer here. help lists the answers."
    }
  }

  private static func listed(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }
}

/// Lines as they are typed.
enum LinearLine {
  /// Without the blanks around it.
  static func trimmed(_ line: String) -> String {
    var text = Substring(line)
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
    return String(text)
  }

  /// The first words in lower case with one blank between them, and the rest as it stands; nil for a line of fewer.
  static func split(_ text: String, words count: Int) -> (head: String, rest: String)? {
    let parts = text.split(separator: " ", maxSplits: count, omittingEmptySubsequences: true)
    guard parts.count >= count else { return nil }
    let head = parts.prefix(count).joined(separator: " ").lowercased()
    return (head, parts.count > count ? trimmed(String(parts[count])) : "")
  }

  /// The words of a text in lower case.
  static func words(_ text: String) -> [String] { text.lowercased().split(separator: " ").map(String.init) }
}

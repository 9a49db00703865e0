import CarryoverReview

/// A review carried out for real on a copy of a sample, driven by keys, at a clock that stands still. Every key leaves a
/// frame of a film.
final class Rehearsal {
  struct Stuck: Error { var what: String }

  private(set) var film: [FilmFrame] = []
  private var state: ReviewState
  private var container: Container
  private let opener: ContainerOpener
  private let migrator: Migrator
  private let folder: URL
  private let name: String

  private static let now = Moment(secondsSince1970: 1_763_640_300)

  init(_ sample: String, size: Size) throws {
    let place = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "carryover-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    folder = place
    try FileManager.default.copyItem(
      at: packageRoot.appending(path: "Examples/\(sample).xcappdata"),
      to: place.appending(path: "\(sample).xcappdata"))
    let files = MovedFileSystem("/cases/4711", at: place.path)
    name = "/cases/4711/\(sample).xcappdata"
    opener = ContainerOpener(fileSystem: files)
    guard let key = StateKey([UInt8](repeating: 7, count: StateKey.length)) else {
      throw CocoaError(.coderInvalidValue)
    }
    migrator = Migrator(fileSystem: files, toolVersion: "0.1.0", key: key, now: { Self.now })
    container = try opener.open(name)
    state = ReviewState(
      plan: try Self.plan(container, by: migrator), size: size, options: ReviewOptions(zoneOffset: 7200),
      backupLocation: container.stateDirectory + "/runs", container: container, zone: { _ in 7200 })
    send(.clock(Self.now))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func plan(_ container: Container, by migrator: Migrator) throws -> Plan {
    try migrator.plan(
      container, with: Recipe.detect(in: container).recipe, now: now,
      options: PlannerOptions(parameters: [RecipeParameter.writeKey.name: "1xAcmeWriteKey"]))
  }

  var lines: [String] { render(state).grid.lines }

  func bytes(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: folder.appending(path: "\((name as NSString).lastPathComponent)/\(path)")))
  }

  func hold(_ seconds: Double, keys: String = "", _ caption: String) {
    let frame = render(state)
    film.append(FilmFrame(grid: frame.grid, cursor: frame.cursor, seconds: seconds, keys: keys, caption: caption))
  }

  func press(_ key: String, _ seconds: Double, _ caption: String) {
    send(script: key)
    hold(seconds, keys: Self.shown(key), caption)
  }

  func type(_ text: String, _ caption: String) {
    for character in text {
      send(script: String(character))
      hold(0.18, keys: text, caption)
    }
  }

  func press(_ key: String, until text: String, _ caption: String) throws {
    for _ in 0..<40 {
      if lines.contains(where: { $0.contains("▸") && $0.contains(text) }) { return }
      press(key, 0.35, caption)
    }
    throw Stuck(what: "\(key) never came to \(text)")
  }

  /// What must be on the screen now, or the story is no longer true.
  func expect(_ text: String) throws {
    guard lines.contains(where: { $0.contains(text) }) else {
      throw Stuck(what: "\(text) is not on the screen:\n" + lines.joined(separator: "\n"))
    }
  }

  private static func shown(_ key: String) -> String {
    switch key {
    case " ": "space"
    case "<pgdn>": "page down"
    case "<c-u>": "ctrl-u"
    default: key.filter { $0 != "<" && $0 != ">" }
    }
  }

  private func send(script: String) {
    for key in Session.keys(script) {
      for effect in reduce(&state, ScreenInput.key(key)) { perform(effect) }
    }
  }

  private func send(_ action: ReviewAction) {
    for effect in reduce(&state, action) { perform(effect) }
  }

  private func perform(_ effect: ReviewEffect) {
    switch effect {
    case .apply(let decisions):
      let plan = state.plan
      write(ReviewAction.applied) { try self.migrator.apply(plan, decisions: decisions, in: $0) }
    case .rollback(let plan, let only, let decisions):
      write(ReviewAction.rolledBack) { try self.migrator.rollback(plan, only: only, decisions: decisions, in: $0) }
    case .loadHistory:
      read {
        let listing = try self.migrator.history(of: $0)
        return .history(
          listing.runs, offsets: listing.runs.map { _ in 7200 }, problems: listing.problems.map(\.description))
      }
    case .loadRollback(let runID):
      read { .rollbackPlan(try self.migrator.rollbackPlan(in: $0, runID: runID)) }
    default: break
    }
  }

  private func read(_ work: (Container) throws -> ReviewAction) {
    do {
      send(try work(container))
    } catch {
      send(.failed(ReviewFailure(message: String(describing: error), remedy: "")))
    }
  }

  private func write(
    _ answer: (Result<RunReport, ReviewFailure>) -> ReviewAction, _ work: (Container) throws -> RunReport
  ) {
    do {
      send(answer(.success(try work(container))))
      container = try opener.open(name)
      send(.reopened(container))
      send(.replanned(try Self.plan(container, by: migrator)))
      send(.lastRun(try migrator.lastRun(in: container)?.id))
    } catch {
      send(answer(.failure(ReviewFailure(message: String(describing: error), remedy: ""))))
    }
  }
}

import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// Carries out what every program may ask for: a text in the pager, in a file or in the editor.
struct Errands {
  private let terminal: (any Terminal)?
  private let container: Container?
  private let targets: [String]
  private let files = POSIXFileSystem()

  /// - Parameters:
  ///   - terminal: the screen to leave meanwhile; nil line by line.
  ///   - targets: files of the plan, relative to the container. Like the container and its state folder, they are not
  ///     replaced.
  init(_ terminal: (any Terminal)? = nil, _ container: Container? = nil, targets: [String] = []) {
    (self.terminal, self.container, self.targets) = (terminal, container, targets)
  }

  func carryOut(_ errand: Errand) -> ErrandAnswer {
    switch errand {
    case .page(let text): page(text)
    case .save(let text, let path, let isReplacing): save(text, as: path, isReplacing)
    case .edit(let text, let name): edit(text, as: name)
    }
  }

  private func page(_ text: String) -> ErrandAnswer {
    // The text is its input, which suits any pager; the pager reads its keys from the terminal.
    let pager = Console.variable("PAGER") ?? "if command -v less >/dev/null 2>&1; then exec less; else exec more; fi"
    return inFolder(needing: "The pager") { folder throws(FileSystemError) in
      let file = try folder.write(Array(text.utf8), as: "page.txt")
      return switch run(UserProgram(pager, input: file)) {
      case .exited(127): .done("The pager was not found: \(pager). Set PAGER.")
      case .notStarted(let reason): .done("The pager cannot be started: \(reason).")
      case .exited, .killed: .done(nil)
      }
    }
  }

  private func edit(_ text: String, as name: String) -> ErrandAnswer {
    let editor = Console.variable("VISUAL") ?? Console.variable("EDITOR") ?? "vi"
    return inFolder(needing: "The editor") { folder throws(FileSystemError) in
      let file = try folder.write(Array(text.utf8), as: name)
      switch run(UserProgram(editor, argument: file)) {
      case .exited(0): return ErrandAnswer(edited: try folder.read(file), of: text)
      case .exited(127): return .done("The editor was not found: \(editor). Set VISUAL or EDITOR. Nothing was changed.")
      case .exited(let status): return .done("The editor ended with status \(status). Nothing was changed.")
      case .killed(let signal): return .done("The editor was ended by signal \(signal). Nothing was changed.")
      case .notStarted(let reason): return .done("The editor cannot be started: \(reason). Nothing was changed.")
      }
    }
  }

  private func save(_ text: String, as name: String, _ isReplacing: Bool) -> ErrandAnswer {
    let home = name.hasPrefix("~/") ? Console.environment("HOME") : nil
    let path = home.map { $0 + name.dropFirst() } ?? name
    if let container {
      do throws(SavedPlanError) {
        try SavedPlanFile(fileSystem: files).requirePlace(path, outside: container, targets: targets)
      } catch {
        // Its state folder may not exist yet.
        var isReserved = path.beginsWithBytes(of: container.root + "/")
        if case .reserved = error { isReserved = true }
        if isReserved {
          return .done("Nothing was saved: \(path) belongs to the container. Choose another folder.")
        }
        if case .file(let problem) = error { return .done("Nothing was saved. \(problem)") }
        return .done("Nothing was saved. \(error)")
      }
    }
    var durable = DurableFiles(files)
    do throws(FileSystemError) {
      let status = try files.status(path)
      guard status == nil || status?.kind == .regular else {
        return .done("\(path) is not a file. Nothing was saved.")
      }
      guard status == nil || isReplacing else { return .exists(path) }
      if let status {
        guard status.links == 1 else {
          return .done("Nothing was saved: \(path) has hard links; replacing it would break them. Choose another name.")
        }
        try durable.replace(
          path, with: Array(text.utf8), through: FilePath.join(FilePath.folder(of: path), StoreTemporary.new),
          attributes: FileAttributes(status))
      } else {
        try durable.write(Array(text.utf8), to: path)
      }
      return .done("Saved as \(path), \(text.utf8.count) bytes.")
    } catch {
      return .done("Nothing was saved. \(error)")
    }
  }

  /// Makes a private folder, and removes it however the work ends.
  private func inFolder(
    needing what: String, _ work: (PrivateFolder) throws(FileSystemError) -> ErrandAnswer
  ) -> ErrandAnswer {
    guard Console.inputIsTerminal, Console.outputIsTerminal else { return .done("\(what) needs a terminal.") }
    // A signal waits until the folder is gone; it ends the program that has the terminal.
    return ThisProcess.uninterrupted {
      do throws(FileSystemError) {
        let folder = try PrivateFolder()
        defer { folder.remove() }
        return try work(folder)
      } catch {
        return .done("\(what) cannot be given the text. \(error)")
      }
    }
  }

  private func run(_ program: UserProgram) -> UserProgram.Ending {
    guard let terminal else { return program.run() }
    var ending = UserProgram.Ending.exited(0)
    terminal.handOver { ending = program.run() }
    return ending
  }
}

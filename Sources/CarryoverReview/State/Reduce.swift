import Carryover
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

/// Changes the state by one action and says what the program around it has to do.
///
/// Pure: no clock, no environment, no file. Nothing is applied but by `y` in the preview, and nothing is taken back but
/// by `y` in the rollback's question.
package func reduce(_ state: inout ReviewState, _ action: ReviewAction) -> [ReviewEffect] {
  let effects = state.take(action)
  // The time alone changes nothing that is laid out, and comes with every key.
  if case .clock = action { return effects }
  state.refreshPage()
  state.refreshPanes()
  return effects
}

extension ReviewState {
  fileprivate mutating func take(_ action: ReviewAction) -> [ReviewEffect] {
    switch action {
    case .key(let key): return screen == .stores ? browse(.key(key)) : press(key)
    case .paste(let text) where screen == .stores: return browse(.paste(text))
    case .paste(let text):
      if typeInHelp(text) { return [] }
      if isFindingTyped { return typeFinding(text) }
      guard screen == .editor else { return [.bell] }
      editor?.insert(text)
      return []
    case .operations(let noted):
      note(noted)
      return []
    case .mouse(let mouse): return use(mouse)
    case .clock(let moment):
      now = moment
      return []
    case .resized(let size):
      self.size = size
      _ = browse(.resized(size))
      revealCursor()
      revealMenu()
      let (visibleRuns, visibleKeys) = (runsLayout.listRows.count, keysLayout.listRows.count)
      runs.reveal(visible: visibleRuns)
      draft?.reveal(visible: visibleKeys)
      return []
    case .perform(let command): return perform(command)
    case .applied(let result):
      note(result)
      finish(result)
      if case .success = result {
        settled = decisions
        decisionsRevision += 1
        beginsAnew = true
      }
      return []
    case .rolledBack(let result):
      note(result)
      finish(result)
      if case .success = result {
        lastRun = nil
        beginsAnew = true
      }
      return screens.contains(.history) ? [.loadHistory] : []
    case .reopened(let container):
      self.container = container
      browser?.take(container)
      return []
    case .replanned(let plan):
      replan(plan)
      if beginsAnew { goToFirstWaiting() }
      beginsAnew = false
      return []
    case .lastRun(let run):
      lastRun = run
      revision += 1
      return []
    case .history(let runs, let offsets, let problems):
      take(runs, offsets: offsets, problems: problems)
      return []
    case .rollbackPlan(let plan):
      take(plan)
      return []
    case .kept(let review):
      offer(review)
      return []
    case .keeping(let keeping):
      note(keeping)
      return []
    case .notice(let sentence):
      message = sentence
      return []
    case .failed(let failure):
      note(.failure(failure))
      show(failure)
      return []
    }
  }

  /// Keys typed while a run is under way are not kept: what they would hit is not on the screen yet.
  mutating func press(_ key: Key) -> [ReviewEffect] {
    guard !isBusy else { return [] }
    message = nil
    if takesCount(key) { return [] }
    let times = count.use()
    if screen == .recovery, dismisses(key) {
      back()
      return []
    }
    guard let binding = Bindings.binding(for: key, in: screen, options.keymap) else {
      if isFindingTyped, case .character(let character) = key {
        return typeFinding(String(character))
      }
      if screen == .editor, case .character(let character) = key {
        editor?.insert(String(character))
        return []
      }
      if typeDigit(key) { return [] }
      if case .character(let character) = key, typeInHelp(String(character)) { return [] }
      return [.bell]
    }
    if let reason = binding.disabledReason(self) {
      message = reason
      return [.bell]
    }
    let command = binding.command(key)
    return times.map { perform(command, times: $0) } ?? perform(command)
  }

  /// The notice of the start goes with any key, but for those that show the rest of it.
  private func dismisses(_ key: Key) -> Bool {
    switch Bindings.binding(for: key, in: .recovery, options.keymap)?.command(key) {
    case .suspend: false
    case .move: page.lines.count <= PageLayout(size: size).rows.count
    default: true
    }
  }

  mutating func perform(_ command: Command) -> [ReviewEffect] {
    guard !isBusy else { return [] }
    if let effects = searchHelp(command) { return effects }
    switch command {
    case .move, .next, .previous, .nextToDecide, .previousToDecide, .nextField, .previousField: return move(command)
    case .confirm, .skip, .keep, .take, .undo, .redo: return decide(command)
    case .goTo: return typeRow(command)
    case .focus, .nextPane, .previousPane, .resize: return usePanes(command)
    case .search, .recall, .filter, .complete, .leaveFinding: return find(command)
    case .textMove, .textDelete, .accept, .cancel:
      return isFindingTyped ? find(command) : rowEntry != nil ? typeRow(command) : edit(command)
    case .edit, .textOlder, .textNewer: return edit(command)
    case .toggleRange, .decideMany, .filterMenu, .pick, .pickKey: return chooseMany(command)
    case .explain, .nextFinding, .previousFinding, .goToField, .searchHelp: return understand(command)
    case .takeUp, .leaveOut: return answerKept(command)
    case .open(let screen):
      open(screen)
      prepare(screen)
    case .back: back()
    case .apply:
      guard screen == .preview, applyObstacle == nil else { return [.bell] }
      running = .apply
      noteStart(.apply)
      return [.apply(decisions)]
    case .browse: return browseField()
    case .showHistory, .openRun, .askForLastRun, .choose, .chooseAll, .nextConflict, .previousConflict, .rollBack:
      return takeBack(command)
    case .copy:
      guard let text = selected.flatMap(copyText) else { return [.bell] }
      message = "The value was sent to the clipboard."
      return [.copy(text)]
    case .suspend: return [.suspend]
    case .quit:
      guard hasUnappliedDecisions else { return [.quit] }
      editor = nil
      open(.quit)
    case .quitForCertain: return [.quit]
    case .quitForgetting: return screen == .quit ? [.quitForgetting] : [.bell]
    }
    return []
  }

  private func copyText(_ field: Field) -> String? {
    let value = valueUnderDecision(field) ?? field.legacy
    return value.flatMap { (options.redaction?.value($0) ?? $0).editableText }
  }
}

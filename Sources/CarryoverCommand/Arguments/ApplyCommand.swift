/// The options of a command as they are typed again, for the command that goes on.
extension ContainerArguments {
  /// The command with the container.
  func command(_ name: String) -> ShellCommand {
    // A path that begins with a hyphen would be an option.
    var command = ShellCommand("carryover", name, path.hasPrefix("-") ? "./" + path : path)
    command.add("--bundle-id", ifGiven: bundleID)
    command.add("--state-dir", ifGiven: stateDir)
    command.add("--container", ifGiven: choosing.container)
    command.add("--app", ifGiven: choosing.app)
    return command
  }
}

extension ContainerArguments {
  /// The command that rolls back the last run.
  func rollback(_ live: LiveArguments) -> ShellCommand {
    var command = command("rollback")
    command.add("--live", if: live.live)
    return command
  }
}

extension ContainerArguments {
  /// The command that rolls back a batch, without its id.
  func rollback(_ live: LiveArguments, ofBatchAt paths: [String]) -> ShellCommand {
    var command = ShellCommand("carryover", "rollback")
    for path in paths { command.add(path.hasPrefix("-") ? "./" + path : path) }
    command.add("--bundle-id", ifGiven: bundleID)
    command.add("--state-dir", ifGiven: stateDir)
    command.add("--live", if: live.live)
    return command
  }
}

extension PlanningArguments {
  /// Adds what the plan depends on.
  func add(to command: inout ShellCommand) {
    command.add("--write-key", ifGiven: target.writeKey)
    command.add("--now", ifGiven: target.now?.text)
    command.add("--target-sdk", ifGiven: targetSDK?.text)
    command.add("--recipe", each: recipeChoice.recipe)
    command.add("-P", each: recipeChoice.parameters.given.map(\.text))
    addPermissions(to: &command)
  }

  /// Adds the recipe files, whose content no saved plan has.
  func addRecipeFiles(to command: inout ShellCommand) {
    command.add("--recipe", each: recipeChoice.recipe.filter(RecipePath.isPath))
    command.add("-P", each: recipeChoice.parameters.given.map(\.text))
  }

  /// Adds what a saved plan does not say.
  func addPermissions(to command: inout ShellCommand) {
    command.add("--allow-opted-out", if: allowOptedOut)
    command.add("--live", if: live.live)
    command.add("--trust", each: recipeChoice.trust.trust.map { "sha256:" + $0.digest })
  }
}

extension DecisionArguments {
  /// Adds the decisions.
  func add(to command: inout ShellCommand) {
    command.add("--only", each: only)
    command.add("--accept", each: accept)
    command.add("--skip", each: skip)
    command.add("--set", each: set)
    command.add("--set-json", each: setJson)
    command.add("--keep", each: keep)
    command.add("--replace", each: replace)
    if onConflict != .fail { command.add("--on-conflict", onConflict.rawValue) }
    if let policy = policy.policy { command.add("--policy", policy) }
  }
}

import ArgumentParser
import Carryover
import CarryoverSystem

/// What a plan depends on besides the container and the recipe.
struct TargetArguments: ParsableArguments {
  @Option(help: "The write key of the new SDK's source, which the target file's name contains.")
  var writeKey: String?

  @Option(
    help: ArgumentHelp(
      "The moment to plan for, instead of now: 2025-11-20T12:05:00Z, or seconds since 1970.", valueName: "time"))
  var now: MomentArgument?

  /// The moment to plan for.
  var moment: Moment { now?.moment ?? Console.now }
}

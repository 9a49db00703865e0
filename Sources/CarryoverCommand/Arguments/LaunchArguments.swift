import ArgumentParser
import Carryover
import CarryoverReview
import CarryoverVendors
import PropertyLists

/// Whether the next launch is played, and what the container cannot tell of it.
struct LaunchArguments: ParsableArguments {
  @Flag(
    help:
      "Simulate the next launch too: what the new SDK reads and does now, after the vendor's migrator, after this plan."
  )
  var nextLaunch = false

  @Option(help: ArgumentHelp("With --next-launch: the version of the app that starts.", valueName: "version"))
  var appVersion: String?

  @Flag(
    inversion: .prefixedNo,
    help: "With --next-launch: whether the new SDK starts sessions by itself, as it does by default.")
  var automaticSessions: Bool?

  var assumptions: NextLaunch.Assumptions {
    NextLaunch.Assumptions(appVersion: appVersion, automaticSessions: automaticSessions ?? true)
  }

  func validate() throws {
    guard nextLaunch || (appVersion == nil && automaticSessions == nil) else {
      throw ValidationError("--app-version and --[no-]automatic-sessions need --next-launch.")
    }
  }

  /// The launch with masks in its sentences; nil if the recipe has no model of it.
  func played(_ plan: Plan, _ decisions: Decisions, _ masking: Masking) -> NextLaunch? {
    guard nextLaunch else { return nil }
    return plan.definition.nextLaunch(plan, decisions: decisions, assuming: assumptions).map {
      masking.redaction?.nextLaunch($0) ?? $0
    }
  }

  /// The launch in the plan's document.
  func members(_ launch: NextLaunch?) -> [JSONMember] {
    nextLaunch ? [JSONMember("nextLaunch", launch?.json(assumptions) ?? .null)] : []
  }

  /// The launch as lines.
  /// - Parameter isOnly: whether the plan has no other recipe; otherwise the recipe's title comes first.
  func lines(_ played: PlayedLaunch, isOnly: Bool, columns: Int, _ masking: Masking) -> [String] {
    guard nextLaunch else { return [] }
    return (isOnly ? [""] : ["", played.plan.recipe.title])
      + NextLaunchText.lines(
        played.launch, played.plan, assumptions, columns: columns, ReviewOptions(redaction: masking.redaction))
  }
}

/// The next launch after the plan of one recipe.
struct PlayedLaunch {
  var plan: Plan
  /// Nil if the recipe has no model of it.
  var launch: NextLaunch?
}

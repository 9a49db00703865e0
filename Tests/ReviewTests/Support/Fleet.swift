import Carryover
import CarryoverVendors

@testable import CarryoverReview

/// Containers in a folder: exports of one app, of which one is not named as the others are.
let sampleFleet: [ContainerCandidate] = ["Ada", "Bob", "Cleo", "Dora", "Emil", "Finn", "Gil\u{1B}[2J", "Hanna"].map {
  ContainerCandidate(
    path: "exports/\($0).xcappdata", kind: .xcappdata, bundleID: "com.acme.shop", name: "\($0).xcappdata")
}

/// What is known of them; of the last one nothing is.
let sampleStates: [Int: ContainerState] = [
  0: planned([.ready, .ready, .ready, .absent]),
  1: planned([.ready, .needsDecision, .absent], asking: .userIDNotString),
  2: planned([.ready, .conflict, .needsDecision], asking: .userIDNotString),
  3: planned([.unchanged, .unchanged, .dropped], findings: [.droppedUnknownKey]),
  4: planned([.absent, .absent]),
  5: .failed("cannot be read: damaged"),
  6: planned([.ready, .dropped], findings: [.sourcePartial]),
]

/// A container whose fields have these statuses. A field that asks has the finding, and one in conflict the target's.
func planned(
  _ statuses: [FieldStatus], asking code: FindingCode = .sourceDisagree, findings: [FindingCode] = [],
  isBlocked: Bool = false
) -> ContainerState {
  let fields = statuses.map { status in
    PlannedContainer.Field(
      status, .identity,
      findings: status == .conflict ? [.targetConflict] : status == .needsDecision ? [code] : [], hasProposal: true)
  }
  let all = findings + Set(fields.flatMap(\.asking)).sorted { $0.rawValue < $1.rawValue }
  return .planned(
    PlannedContainer(
      fields, findings: all, severities: Dictionary(grouping: all, by: \.severity).mapValues(\.count),
      isBlocked: isBlocked))
}

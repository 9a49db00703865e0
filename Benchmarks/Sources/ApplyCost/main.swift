import Carryover
import CarryoverContainers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// What an apply costs against the time of its synchronizations alone: one apply to each of many containers, wall time,
// medians. The process is started once, and planning is outside of the clock.
//
//   ApplyCost CONTAINER…        each a copy that may be changed
//
// Prints one line; status 1 where the ratio is over the limit.

/// An apply takes at most this many times the time of its synchronizations.
let limit = 1.5

func nanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

let arguments = CommandLine.arguments
guard arguments.count >= 2 else {
  print("ApplyCost CONTAINER…")
  exit(64)
}

let now = Moment(secondsSince1970: 1_763_640_300)
let fileSystem = TimedFileSystem()
guard let key = StateKey([UInt8](repeating: 7, count: StateKey.length)) else { exit(1) }
let migrator = Migrator(fileSystem: fileSystem, toolVersion: "benchmark", key: key, now: { now })
var ratios: [Double] = []
var totals: [Double] = []
var count = 0
for path in arguments.dropFirst() {
  let container = try ContainerOpener(fileSystem: fileSystem).open(path, options: ContainerOptions())
  let plan = Planner(.rudderStackObjC).plan(container, now: now, options: PlannerOptions(writeKey: "1xAcmeWriteKey"))
  let before = fileSystem.synchronizations
  let start = nanoseconds()
  let report = try migrator.apply(plan, decisions: [:], in: container)
  let total = Double(nanoseconds() - start)
  let after = fileSystem.synchronizations
  guard report.runID != nil, report.synchronizations == after.count - before.count else {
    print("the apply wrote nothing, or does not say how often it synchronized")
    exit(1)
  }
  count = report.synchronizations
  ratios.append(total / Double(max(1, after.nanoseconds - before.nanoseconds)))
  totals.append(total)
}
let ratio = median(ratios)
func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
print(
  "an apply: \(rounded(median(totals) / 1e6)) ms with \(count) synchronizations, \(rounded(ratio)) x the time of these alone (at most \(limit))"
)
exit(ratio <= limit ? 0 : 1)

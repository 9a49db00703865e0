import Carryover
import CarryoverContainers
import CarryoverSystem
import CarryoverVendors

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// What an apply costs beside its synchronizations, which the disk decides: one apply to each of many containers, processor
// time, medians. The process is started once, and planning is outside of the clock.
//
//   ApplyCost CONTAINER…        each a copy that may be changed
//
// Prints one line; status 1 where it costs more than the limit.

/// An apply takes at most so many milliseconds of processor time beside its synchronizations.
let limit = 4.0

func nanoseconds(_ clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
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
var own: [Double] = []
var totals: [Double] = []
var count = 0
for path in arguments.dropFirst() {
  let container = try ContainerOpener(fileSystem: fileSystem).open(path, options: ContainerOptions())
  let plan = Planner(.rudderStackObjC).plan(container, now: now, options: PlannerOptions(writeKey: "1xAcmeWriteKey"))
  let before = fileSystem.synchronizations
  let start = (wall: nanoseconds(CLOCK_MONOTONIC), processor: nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
  let report = try migrator.apply(plan, decisions: [:], in: container)
  let processor = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start.processor
  let total = nanoseconds(CLOCK_MONOTONIC) - start.wall
  let after = fileSystem.synchronizations
  guard report.runID != nil, report.synchronizations == after.count - before.count else {
    print("the apply wrote nothing, or does not say how often it synchronized")
    exit(1)
  }
  count = report.synchronizations
  own.append(Double(processor - min(processor, after.processor - before.processor)) / 1e6)
  totals.append(Double(total) / 1e6)
}
let cost = median(own)
func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
print(
  "an apply: \(rounded(cost)) ms of processor time beside its \(count) synchronizations (at most \(limit) ms); "
    + "\(rounded(median(totals))) ms with them")
exit(cost <= limit ? 0 : 1)

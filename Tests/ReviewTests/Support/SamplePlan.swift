import Carryover
import Containers
import Foundation

/// The plan of one of the containers in `Examples/`, three minutes after its last event.
func samplePlan(_ name: String) throws -> Plan {
  let container = try ContainerOpener(fileSystem: POSIXFileSystem()).open(
    packageRoot.appending(path: "Examples/\(name).xcappdata").path)
  return Planner(.rudderStackObjC).plan(
    container, now: Moment(secondsSince1970: 1_763_640_300), options: PlannerOptions(writeKey: "1xAcmeWriteKey"))
}

/// The folder with `Package.swift`.
let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

import Carryover
import CarryoverContainers
import CarryoverSystem
import CarryoverVendors
import Foundation

/// The plan of one of the containers in `Examples/`, three minutes after its last event.
func samplePlan(_ name: String, writeKey: String? = "1xAcmeWriteKey") throws -> Plan {
  let container = try sampleContainer(name)
  return Planner(Recipe.detect(in: container).recipe).plan(
    container, now: Moment(secondsSince1970: 1_763_640_300),
    options: writeKey.map { PlannerOptions(writeKey: $0) } ?? PlannerOptions())
}

/// One of the containers in `Examples/`.
func sampleContainer(_ name: String) throws -> Container {
  try ContainerOpener(fileSystem: POSIXFileSystem()).open(
    packageRoot.appending(path: "Examples/\(name).xcappdata").path)
}

/// The folder with `Package.swift`.
let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

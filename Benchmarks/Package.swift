// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who depends on Carryover builds or resolves what it is raced against.
let package = Package(
  name: "carryover-benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "carryover", path: "..")],
  targets: [
    .target(name: "Racing"),
    .executableTarget(
      name: "CarryoverPeer",
      dependencies: ["Racing", .product(name: "PropertyLists", package: "carryover")]),
    .executableTarget(
      name: "ApplyCost",
      dependencies: [
        .product(name: "Carryover", package: "carryover"),
        .product(name: "CarryoverVendors", package: "carryover"), .product(name: "CarryoverContainers", package: "carryover"),
      ]),
    // Its products are there only where CARRYOVER_BENCHMARKS is set, as run.sh does.
    .executableTarget(
      name: "ReviewCost",
      dependencies: [
        .product(name: "Carryover", package: "carryover"),
        .product(name: "CarryoverVendors", package: "carryover"),
        .product(name: "PropertyLists", package: "carryover"), .product(name: "CarryoverReview", package: "carryover"),
      ]),
    .executableTarget(name: "FoundationPeer", dependencies: ["Racing"]),
  ],
  swiftLanguageModes: [.v6]
)

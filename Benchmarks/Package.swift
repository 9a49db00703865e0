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
    .executableTarget(name: "FoundationPeer", dependencies: ["Racing"]),
  ],
  swiftLanguageModes: [.v6]
)

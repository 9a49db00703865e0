// swift-tools-version: 6.2
import PackageDescription

// The package of an app that embeds the library. The library's own tests build the same sources with everything else; see
// EmbeddedApp in ../../Package.swift.
let package = Package(
  name: "EmbeddedApp",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "carryover", path: "../..", traits: ["Encryption"])],
  targets: [
    .executableTarget(
      name: "EmbeddedApp",
      // snippet: package-products
      dependencies: [
        .product(name: "CarryoverEncryption", package: "carryover"),
        .product(name: "CarryoverRestore", package: "carryover"),
        .product(name: "CarryoverRouter", package: "carryover"),
        .product(name: "CarryoverStorage", package: "carryover"),
        .product(name: "CarryoverUserDefaults", package: "carryover"),
      ]
      // end snippet
    )
  ],
  swiftLanguageModes: [.v6]
)

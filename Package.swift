// swift-tools-version: 6.2
import PackageDescription

/// Warnings stop the build where somebody asks for it (`make`, CI), never in a client's own build.
let warningsStop = Context.environment["CARRYOVER_WARNINGS"] == "error"

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ] + (warningsStop ? [.treatAllWarnings(as: .error)] : [])

/// For the modules in which tests spend most of their time: optimised for debugging too, where our own tests are built.
/// Clients are not allowed such flags.
let optimized =
  settings
  + (Context.environment["CARRYOVER_EXAMPLES"] == nil ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))])

/// What `carryover version` says of the build, from whoever builds it: `make release` tells the commit, its day and the
/// compiler. Only `main.c` is compiled again where one of them changes.
let build: [CSetting] = ["CARRYOVER_COMMIT", "CARRYOVER_DATE", "CARRYOVER_COMPILER"].compactMap { name in
  Context.environment[name].flatMap { $0.isEmpty ? nil : .define(name, to: "\"\($0)\"") }
}

/// What the tests start besides the command, which no client is to have the names of. The example of an app that embeds
/// the library is a package of its own; it is built here, where everything it needs is built already.
let examples: [Target] =
  Context.environment["CARRYOVER_EXAMPLES"] == nil
  ? []
  : [
    .executableTarget(
      name: "EmbeddedApp",
      dependencies: [
        "Carryover", "CarryoverEncryption", "CarryoverRestore", "CarryoverRouter", "CarryoverStorage",
        "CarryoverSystem",
        "CarryoverUserDefaults", "CarryoverVendors",
      ],
      path: "Examples/EmbeddedApp/Sources/EmbeddedApp"),
    // What `Tests/Faults` kills: an app of the library's, on real stores.
    .executableTarget(
      name: "LibraryProbe",
      dependencies: [
        "Carryover", "CarryoverEncryption", "CarryoverRestore", "CarryoverRouter", "CarryoverStorage",
        "CarryoverSystem",
        "CarryoverUserDefaults", "CarryoverVendors", "PropertyLists",
      ],
      path: "Tests/LibraryProbe", swiftSettings: settings),
    // What `Tests/Recipes` compares with another YAML reader.
    .executableTarget(
      name: "RecipeProbe", dependencies: ["CarryoverRecipes", "PropertyLists"], path: "Tests/RecipeProbe",
      swiftSettings: settings),
  ]

/// What `python3 Fuzz` builds, with every module made to tell libFuzzer which of its code runs.
let fuzzers: [Target] =
  Context.environment["CARRYOVER_FUZZ"] == nil
  ? []
  : [
    .systemLibrary(name: "CFuzzer", path: "Fuzz/CFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CFuzzer", "Carryover", "CarryoverContainers", "CarryoverRecipes", "CarryoverSystem", "CarryoverVendors",
        "PropertyLists",
      ],
      path: "Fuzz/Sources", swiftSettings: settings),
  ]

/// The privacy manifest of a target that calls what Apple requires a reason for; `make check` checks which do. Only a
/// Mac builds for Apple's systems. Elsewhere it is left out, because a target with resources imports Foundation, which a
/// dynamically linked program then loads at its start.
#if os(Linux)
  let privacy: (resources: [Resource], excluded: [String]) = ([], ["PrivacyInfo.xcprivacy"])
#else
  let privacy: (resources: [Resource], excluded: [String]) = ([.copy("PrivacyInfo.xcprivacy")], [])
#endif

// Every target but PropertyLists begins with Carryover, because no two packages of an app may have targets of one name. The
// command's module is CarryoverCommand: on a disk that ignores case, a target carryover would share Carryover's folder.
let package = Package(
  name: "carryover",
  platforms: [.macOS(.v14), .iOS(.v16), .macCatalyst(.v16), .tvOS(.v16), .visionOS(.v1)],
  products: [
    .library(name: "PropertyLists", targets: ["PropertyLists"]),
    .library(name: "Carryover", targets: ["Carryover", "CarryoverSystem"]),
    .library(name: "CarryoverVendors", targets: ["CarryoverVendors"]),
    .library(name: "CarryoverStorage", targets: ["CarryoverStorage", "CarryoverSystem"]),
    .library(name: "CarryoverRouter", targets: ["CarryoverRouter"]),
    .library(name: "CarryoverRestore", targets: ["CarryoverRestore"]),
    .library(name: "CarryoverContainers", targets: ["CarryoverContainers"]),
    .library(name: "CarryoverUserDefaults", targets: ["CarryoverUserDefaults"]),
    .library(name: "CarryoverEncryption", targets: ["CarryoverEncryption"]),
    .executable(name: "carryover", targets: ["CCarryoverCommand"]),
  ],
  // An app that asks for `traits: []` fetches no other package, and one that encrypts asks for `["Encryption"]`.
  traits: [
    .default(enabledTraits: ["Command", "Encryption"]),
    .trait(name: "Command", description: "The command, which needs swift-argument-parser."),
    .trait(name: "Encryption", description: "The product CarryoverEncryption, which needs swift-crypto."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-crypto", "3.12.0"..<"5.0.0"),
  ],
  targets: [
    .target(name: "PropertyLists", swiftSettings: optimized),
    .target(name: "CCarryoverSystem"),
    .target(
      name: "CarryoverSystem", dependencies: ["CCarryoverSystem", "PropertyLists"], exclude: privacy.excluded,
      resources: privacy.resources, swiftSettings: optimized),
    .target(
      name: "CarryoverStorage", dependencies: ["CarryoverSystem", "PropertyLists"], swiftSettings: optimized),
    .target(
      name: "CarryoverRouter", dependencies: ["CarryoverStorage", "CarryoverSystem", "PropertyLists"],
      swiftSettings: settings),
    .target(
      name: "Carryover", dependencies: ["CarryoverStorage", "CarryoverSystem", "PropertyLists"],
      swiftSettings: settings),
    .target(
      name: "CarryoverVendors", dependencies: ["Carryover", "CarryoverStorage", "CarryoverSystem", "PropertyLists"],
      swiftSettings: settings),
    .systemLibrary(
      name: "CCarryoverYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .target(
      name: "CarryoverRecipes",
      dependencies: [
        "CCarryoverYAML", "Carryover", "CarryoverStorage", "CarryoverSystem", "PropertyLists",
      ],
      swiftSettings: settings),
    .target(
      name: "CarryoverUserDefaults", dependencies: ["CarryoverStorage", "CarryoverSystem", "PropertyLists"],
      exclude: privacy.excluded, resources: privacy.resources, swiftSettings: settings),
    .target(
      name: "CarryoverRestore",
      dependencies: [
        "Carryover", "CarryoverStorage", "CarryoverSystem", "CarryoverUserDefaults", "CarryoverVendors",
        "PropertyLists",
      ],
      swiftSettings: settings),
    .target(
      name: "CarryoverEncryption",
      dependencies: [
        "CarryoverStorage", "CarryoverSystem", "PropertyLists",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Encryption"])),
      ],
      swiftSettings: settings),
    .systemLibrary(name: "CCarryoverSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CCarryoverArchive"),
    .target(
      name: "CarryoverContainers",
      dependencies: [
        "CCarryoverArchive", "CCarryoverSQLite", "Carryover", "CarryoverSystem", "CarryoverVendors", "PropertyLists",
      ],
      exclude: privacy.excluded, resources: privacy.resources, swiftSettings: settings),
    .target(
      name: "CarryoverTerminal", dependencies: ["CarryoverSystem", "PropertyLists"], swiftSettings: optimized),
    .target(
      name: "CCarryoverCurses",
      linkerSettings: [
        .linkedLibrary("ncursesw", .when(platforms: [.linux])),
        .linkedLibrary("ncurses", .when(platforms: [.macOS])),
      ]),
    .target(
      name: "CarryoverCurses", dependencies: ["CCarryoverCurses", "CarryoverSystem", "CarryoverTerminal"],
      swiftSettings: settings),
    .target(
      name: "CarryoverPages",
      dependencies: [
        "Carryover", "CarryoverStorage", "CarryoverSystem", "CarryoverTerminal", "CarryoverVendors", "PropertyLists",
      ],
      swiftSettings: settings),
    .target(
      name: "CarryoverReview",
      dependencies: [
        "Carryover", "CarryoverPages", "CarryoverStorage", "CarryoverSystem", "CarryoverVendors", "PropertyLists",
        "CarryoverTerminal",
      ],
      swiftSettings: settings),
    .executableTarget(name: "CCarryoverCommand", dependencies: ["CarryoverCommand"], cSettings: build),
    .target(
      name: "CarryoverCommand",
      dependencies: [
        "Carryover", "CarryoverContainers", "CarryoverCurses", "CarryoverPages", "CarryoverRecipes",
        "CarryoverStorage", "CarryoverSystem", "CarryoverVendors", "PropertyLists", "CarryoverReview",
        "CarryoverTerminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"])),
      ],
      // A link to the schema in the documentation, which `recipe schema` prints.
      resources: [.embedInCode("recipe-1.json")], swiftSettings: settings),

    .testTarget(
      name: "PropertyListsTests", dependencies: ["CarryoverTestSupport", "PropertyLists"], swiftSettings: settings),
    .testTarget(
      name: "CarryoverTests",
      dependencies: [
        "Carryover", "CarryoverStorage", "CarryoverSystem", "CarryoverVendors", "PropertyLists", "CarryoverTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RecipesTests",
      dependencies: [
        "Carryover", "CarryoverPages", "CarryoverRecipes", "CarryoverStorage", "CarryoverTestSupport",
        "CarryoverVendors", "PropertyLists",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ContainersTests",
      dependencies: [
        "CCarryoverSQLite", "Carryover", "CarryoverCommand", "CarryoverContainers", "CarryoverSystem",
        "CarryoverTestSupport", "CarryoverVendors", "PropertyLists",
      ],
      swiftSettings: settings),
    // Temporary folders, containers in memory, scripted keys, frames as text and as pictures, how far random tests go and
    // how the cost of work grows.
    .target(
      name: "CarryoverTestSupport",
      dependencies: ["Carryover", "CarryoverSystem", "CarryoverTerminal", "PropertyLists"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .testTarget(
      name: "TerminalTests", dependencies: ["CarryoverSystem", "CarryoverTerminal", "CarryoverTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "CursesTerminalTests", dependencies: ["CarryoverCurses", "CarryoverTerminal"], swiftSettings: settings),
    .testTarget(
      name: "ReviewTests",
      dependencies: [
        "Carryover", "CarryoverContainers", "CarryoverPages", "CarryoverStorage", "CarryoverSystem",
        "CarryoverVendors", "PropertyLists", "CarryoverReview", "CarryoverTerminal", "CarryoverTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "StoresTests",
      dependencies: [
        "Carryover", "CarryoverEncryption", "CarryoverRestore", "CarryoverRouter", "CarryoverStorage",
        "CarryoverSystem", "CarryoverTestSupport", "CarryoverUserDefaults", "CarryoverVendors", "PropertyLists",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Encryption"])),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "Carryover", "CarryoverCommand", "CarryoverContainers", "CarryoverCurses", "CarryoverPages",
        "CarryoverRecipes", "CarryoverReview", "CarryoverSystem", "CarryoverTerminal", "CarryoverTestSupport",
        "CarryoverVendors",
        "PropertyLists",
      ],
      swiftSettings: settings),
  ] + examples + fuzzers,
  swiftLanguageModes: [.v6]
)

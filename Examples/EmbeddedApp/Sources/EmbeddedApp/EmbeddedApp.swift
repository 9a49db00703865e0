import CarryoverRestore
import CarryoverRouter
import Foundation

/// One start of the Acme shop's app, in one of its three versions.
@main
struct EmbeddedApp {
  static func main() async {
    guard let start = Start(CommandLine.arguments) else {
      print("usage: EmbeddedApp --version 1|2|3 --home DIR")
      exit(64)
    }
    start.useHome()
    print("version \(start.version)")
    do {
      if start.version == 1 {
        try VersionOne.start()
      } else {
        try await start.upgrade()
      }
    } catch {
      print("  failed: \(error)")
      exit(1)
    }
  }
}

/// What a start was asked for.
struct Start {
  let version: Int
  let home: String

  init?(_ arguments: [String]) {
    guard arguments.count == 5, arguments[1] == "--version", let version = Int(arguments[2]), (1...3).contains(version),
      arguments[3] == "--home"
    else { return nil }
    self.version = version
    home = URL(filePath: arguments[4]).path
  }

  /// Starts this program once more with the folder as its home, which Foundation asks for before `main`. An app on a device
  /// has a home of its own.
  func useHome() {
    guard ProcessInfo.processInfo.environment["HOME"] != home else { return }
    setenv("HOME", home, 1)
    setenv("CFFIXED_USER_HOME", home, 1)
    unsetenv("XDG_CONFIG_HOME")
    let arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    execvp(CommandLine.arguments[0], arguments)
    print("could not start again: \(String(cString: strerror(errno)))")
    exit(1)
  }

  /// What versions 2 and 3 do first, whatever version they are installed over. The order is that in which the values are
  /// needed: what the new SDK reads, what the app reads, what the app asks for later.
  func upgrade() async throws {
    let restored = PersistentMigrator(writeKey: "1xAcmeWriteKey", bundleIdentifier: "com.acme.shop")
      .restorePersistence()
    print("  persistence: \(restored)")

    let person = try PersonHistory.run(newest: version == 2 ? 1 : 3, in: AppStores.defaults())
    print("  person: \(person)")

    let router = AppStores(home: home).router()
    let sweep = try await router.registerCatalog(AppKeys(), migrateImmediately: true)
    for outcome in sweep.results {
      switch outcome.result {
      case .success(let result): print("  \(outcome.place.name): \(result)")
      case .failure(let error): print("  \(outcome.place.name): \(error)")
      }
    }
    if !sweep.failures.isEmpty { exit(1) }
    print("  token: \(try await router.get(TokenKey()) == nil ? "none" : "there")")
  }
}

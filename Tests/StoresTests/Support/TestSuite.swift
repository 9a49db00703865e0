import Foundation

enum TestSuite {
  static func remove(_ name: String) {
    UserDefaults.standard.removePersistentDomain(forName: name)
    #if os(Linux)
      // Foundation may leave the file of a domain that several have opened.
      let environment = ProcessInfo.processInfo.environment
      let configuration = environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
      let files = (try? FileManager.default.contentsOfDirectory(atPath: configuration)) ?? []
      for file in files where file == "\(name).plist" || file.hasPrefix("\(name).plist.") {
        try? FileManager.default.removeItem(atPath: "\(configuration)/\(file)")
      }
    #endif
  }
}

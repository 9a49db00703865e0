public import CarryoverStorage
import Foundation

extension DefaultsDataStore {
  /// The suite, by its name. The app's own defaults have the app's name too: Linux opens a suite that is called so, and it is
  /// the same one.
  public var identity: DataStoreIdentity? {
    let own = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    return DataStoreIdentity("defaults", label == "UserDefaults.standard" ? own : label)
  }
}

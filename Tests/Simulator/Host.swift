import SwiftUI

/// Hosts the tests, and shows nothing.
@main
struct Host: App {
  var body: some Scene {
    WindowGroup { EmptyView() }
  }
}

import SwiftUI

@main
struct Host: App {
  var body: some Scene { WindowGroup { EmptyView() } }
}

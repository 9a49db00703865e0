import CarryoverSystem

extension ContainerWrapper {
  /// The reason that nothing is written to the container, and what to do. The path is escaped for display.
  package var explanation: String { happened + " " + Self.remedy }

  /// The same in one line for a narrow screen, without the path.
  package var notice: String {
    "Read-only \(form.rawValue). To migrate, extract the container with carryover extract."
  }

  var happened: String { "The container is in the read-only \(form.rawValue) \(DisplayText.quoted(path))." }

  static let remedy = "Extract the app's files with “carryover extract”, then open the new folder."
}

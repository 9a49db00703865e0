import CarryoverSystem

extension ContainerWrapper {
  /// Why nothing is written to the container, and what to do instead. Safe to print, whatever the path is.
  package var explanation: String { happened + " " + Self.remedy }

  /// The same in one line of a narrow screen, without the path.
  package var notice: String {
    "Read-only \(form.rawValue). To migrate, extract the container with carryover extract."
  }

  var happened: String { "The container is in the read-only \(form.rawValue) \(DisplayText.quoted(path))." }

  static let remedy = "Extract the app's files with “carryover extract”, then open the new folder."
}

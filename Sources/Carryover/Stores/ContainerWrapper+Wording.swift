import CarryoverSystem

extension ContainerWrapper {
  /// Why nothing is written to the container, and what to do instead. Safe to print, whatever the path is.
  package var explanation: String { happened + " " + Self.remedy }

  /// The same in one line of a narrow screen, without the path.
  package var notice: String {
    "It lies in \(form == .archive ? "an" : "a") \(form.rawValue), which is only read: carryover extract takes it out."
  }

  var happened: String { "The container lies in the \(form.rawValue) \(DisplayText.quoted(path)), which is only read." }

  static let remedy = "Take the app's files out with “carryover extract”, and open the folder that makes."
}

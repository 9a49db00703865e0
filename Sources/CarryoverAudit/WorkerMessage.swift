import PropertyLists

/// What the parent of an audit and its workers tell each other, one line of JSON each.
///
/// A worker first says which protocol it speaks. For each input that it is given, it answers with the rows, then with an
/// end line that names the same input.
package enum WorkerMessage {
  /// The first line of a worker.
  package static let hello = #"{"protocol":"carryover.audit-worker/1"}"#

  /// An input for a worker.
  package struct Input: Hashable, Sendable {
    /// The number of the input, from 1.
    package var number: Int
    /// The path to open.
    package var path: String
    /// The path that the rows name, relative to what the user gave; nil if rows name no paths.
    package var shown: String?
    /// The only container to audit, relative to the path; nil for all of them.
    package var container: String?

    package init(number: Int, path: String, shown: String?, container: String? = nil) {
      self.number = number
      self.path = path
      self.shown = shown
      self.container = container
    }

    /// The line for the worker.
    package var line: String {
      JSONValue.object([
        JSONMember("n", JSONValue(number)), JSONMember("path", .string(path)), JSONMember("shown", JSONValue(shown)),
        JSONMember("container", JSONValue(container)),
      ]).text()
    }

    /// Reads a line of the parent; nil for another one.
    package init?(line: String) {
      guard let value = try? JSONText(line).value, let number = value["n"]?.numberValue?.int64,
        let path = value["path"]?.stringValue
      else { return nil }
      self.init(
        number: Int(number), path: path, shown: value["shown"]?.stringValue,
        container: value["container"]?.stringValue)
    }
  }

  /// The line behind the rows of an input.
  package static func end(of number: Int) -> String { #"{"end":\#(number)}"# }
}

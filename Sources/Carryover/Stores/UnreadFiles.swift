import CarryoverSystem

/// The files of a container that are not stores: how many there are, and which of them look like data.
package struct UnreadFiles: Hashable, Sendable {
  /// The kinds of data. The raw value is the word in JSON output.
  package enum Form: String, Sendable {
    case propertyList = "property-list"
    case json, database = "sqlite"

    /// The kind in words.
    package var words: String {
      switch self {
      case .propertyList: "property list"
      case .json: "JSON"
      case .database: "SQLite"
      }
    }
  }

  /// A file that begins like data.
  package struct DataFile: Hashable, Sendable {
    /// The path, relative to the container's root.
    package var path: String
    package var form: Form

    package init(path: String, form: Form) {
      self.path = path
      self.form = form
    }
  }

  /// The number of files.
  package var count = 0
  /// Those that begin like data, by path.
  package var data: [DataFile] = []
  /// The number of files whose first bytes could not be read.
  package var unknown = 0
  /// Whether there are more files, which were not counted.
  package var isCut = false

  package init() {}

  /// The number of files, as a sentence without its end; nil if there are none.
  package var brief: String? {
    guard count > 0 else { return nil }
    let files = count == 1 && !isCut ? "1 other file was" : "\(isCut ? "More than " : "")\(count) other files were"
    let looks =
      switch (data.count, count) {
      case (0, _): ""
      case (1, 1): "; it looks like data"
      case (1, _): "; 1 looks like data"
      default: "; \(data.count) look like data"
      }
    return files + " not read" + looks
  }

  /// The same with the first of the files that look like data, as sentences; nil if there are none.
  package var sentence: String? {
    guard let brief else { return nil }
    let named = data.prefix(Self.named).map { "“\(DisplayText.named($0.path))” (\($0.form.words))" }
    let more = data.count > named.count ? " and \(data.count - named.count) more" : ""
    let list = named.isEmpty ? "" : ": " + named.joined(separator: ", ") + more
    let unknown =
      switch unknown {
      case 0: ""
      case 1 where count == 1: " Its content was not looked at."
      case count: " Their content was not looked at."
      case 1: " The content of 1 was not looked at."
      default: " The content of \(unknown) was not looked at."
      }
    return brief + list + "." + unknown
  }

  private static let named = 5
}

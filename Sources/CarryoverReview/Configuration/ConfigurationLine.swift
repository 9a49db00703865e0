/// How a line of a configuration file is divided.
enum ConfigurationLine {
  /// The words of a line, divided by blanks. One that begins with `#` begins a comment, one in quotes is taken as it
  /// stands; nil where a quote is not closed.
  static func words(of line: String) -> [String]? {
    var words: [String] = []
    var rest = Substring(line).unicodeScalars
    while true {
      while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
      guard let first = rest.first, first != "#" else { return words }
      if first == "\"" || first == "'" {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: first) else { return nil }
        words.append(String(rest[..<end]))
        rest = rest[rest.index(after: end)...]
        if let next = rest.first, next != " ", next != "\t" { return nil }
      } else {
        let end = rest.firstIndex { $0 == " " || $0 == "\t" } ?? rest.endIndex
        words.append(String(rest[..<end]))
        rest = rest[end...]
      }
    }
  }
}

/// The report on the container in the two forms in which it can be saved, personal data masked.
package struct SharedReport: Hashable, Sendable {
  package let markdown: String
  package let html: String

  package init(markdown: String, html: String) {
    self.markdown = markdown
    self.html = html
  }

  /// Whether a file's name asks for HTML.
  static func isPage(_ path: String) -> Bool {
    let name = path.lowercased()
    return name.hasSuffix(".html") || name.hasSuffix(".htm")
  }
}

import CarryoverSystem

/// The way to a value, from its store to the place in the values it is in.
package struct InspectedPath: Hashable, Sendable {
  /// The store's path, relative to the container's root.
  package var store: String
  /// The labels from the store's root on; empty for the root itself.
  package var labels: [InspectedChild.Label]

  /// A path from its parts.
  package init(store: String, labels: [InspectedChild.Label] = []) {
    self.store = store
    self.labels = labels
  }

  /// `Library/Preferences/com.acme.shop.plist: rl_traits.address.lines[2]`.
  ///
  /// A name with anything but ASCII letters, digits, `_`, `-` and `$` stands in quotation marks; a quotation mark and a
  /// backslash in it have a backslash before them, and what is not printable is `\n` or `\u{…}`. So no two paths have the same
  /// text, and there is nothing in it that a terminal obeys.
  package var text: String {
    let store = Self.isPlainStore(store) ? store : Self.quoted(store)
    return labels.isEmpty ? store : store + ": " + labelText
  }

  /// The part of the text that leads from the store's root to the value.
  package var labelText: String {
    var text = ""
    for label in labels {
      switch label {
      case .index(let index): text += "[\(index)]"
      case .name(let name):
        text += (text.isEmpty ? "" : ".") + (Self.isPlain(name) ? name : Self.quoted(name))
      }
    }
    return text
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "$"): true
        default: false
        }
      }
  }

  /// File names may have spaces and letters of any script, as long as the end of the path stays clear.
  private static func isPlainStore(_ path: String) -> Bool {
    !path.isEmpty && path.utf8.first != 0x20 && path.utf8.last != 0x20 && DisplayText.harmless(path) == path
      && !path.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: ":") }
  }

  private static func quoted(_ text: String) -> String {
    var marked = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { marked.append("\\") }
      marked.append(scalar)
    }
    return "\"" + DisplayText.harmless(String(marked)) + "\""
  }
}

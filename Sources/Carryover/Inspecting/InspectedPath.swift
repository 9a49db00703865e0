import CarryoverSystem
package import PropertyLists

/// The path to a value: its store, and its place in the store.
package struct InspectedPath: Hashable, Sendable {
  /// The store's path, relative to the container's root.
  @StringByBytes package var store: String
  /// The labels from the store's root; empty for the root itself.
  package var labels: [InspectedChild.Label]

  /// A path from its parts.
  package init(store: String, labels: [InspectedChild.Label] = []) {
    self.store = store
    self.labels = labels
  }

  /// `Library/Preferences/com.acme.shop.plist: rl_traits.address.lines[2]`.
  ///
  /// A name is in quotation marks unless it consists of ASCII letters, digits, `_`, `-` and `$`. Quotation marks and
  /// backslashes in it are escaped with a backslash, and other unprintable characters as `\n` or `\u{…}`. So different
  /// paths have different texts, and no text contains control characters for a terminal.
  package var text: String {
    let store = Self.isPlainStore(store) ? store : Self.quoted(store)
    return labels.isEmpty ? store : store + ": " + labelText
  }

  /// The part of the text from the store's root to the value.
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

  /// A file name may contain spaces and letters of any script, if the end of the path stays unambiguous.
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

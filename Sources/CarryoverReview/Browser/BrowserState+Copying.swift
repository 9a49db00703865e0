import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

/// What goes to the clipboard. A secret that is hidden does not, nor does anything with one in it.
extension BrowserState {
  /// Why the selected value cannot be copied; nil when that can be tried.
  var copyObstacle: String? {
    guard let row = selectedRow else { return "The container has no stores." }
    guard case .value = outline.item(row) else {
      return "This is not a value; open it, or copy its path with \(key("copy-path", .stores))."
    }
    return isHidden(row)
      ? "This is a secret; \(key("secret", .stores)) shows it, and then it can be copied." : nil
  }

  mutating func copyValue() -> [BrowserEffect] {
    guard let row = selectedRow, case .value(let child) = outline.item(row) else { return [.bell] }
    let value = child.value
    if value.isContainer {
      switch Self.contents(of: value) {
      case .tooMany:
        message = "This is too much for the clipboard; open it and copy single values."
        return [.bell]
      case .secret(let name):
        message = "It contains the secret \(DisplayText.visible(name, limit: 40)); open it and copy single values."
        return [.bell]
      case .plain: break
      }
    }
    if let bytes = value.data?.count, bytes > Clipboard.limit / 2 {
      message = "The value is too long for the clipboard: \(sizeText(bytes)) of data."
      return [.bell]
    }
    guard let text = Self.text(of: value) else {
      message = "There is no text here to copy."
      return [.bell]
    }
    return copy(text, "The value")
  }

  mutating func copyPath() -> [BrowserEffect] {
    guard let row = selectedRow else { return [.bell] }
    return copy(outline.path(row).text, "The path")
  }

  private mutating func copy(_ text: String, _ what: String) -> [BrowserEffect] {
    let size = text.utf8.count
    guard size <= Clipboard.limit else {
      message = "\(what) is too long for the clipboard: \(sizeText(size)), and \(sizeText(Clipboard.limit)) at most."
      return [.bell]
    }
    message = "\(what) was sent to the clipboard."
    return [.copy(text)]
  }

  private enum Contents {
    case plain
    case secret(String)
    case tooMany
  }

  /// Whether a container may be copied as a whole.
  private static func contents(of value: InspectedValue) -> Contents {
    var pending = [value]
    var seen = 0
    while let next = pending.popLast() {
      seen += next.count
      guard seen <= most else { return .tooMany }
      for child in next.children {
        if Secrets.holds(child) { return .secret(InspectedPath(store: "", labels: [child.label]).labelText) }
        let value = child.value
        if value.isContainer { pending.append(value) }
      }
    }
    return .plain
  }

  /// Far more values than the clipboard has room for.
  private static let most = 20_000

  /// A value as text: a packed one as it was stored, any other container in the notation of its kind.
  private static func text(of value: InspectedValue) -> String? {
    if case .string(let stored) = value.stored { return stored }
    if let text = InspectedText.whole(value) { return text }
    if let bytes = value.data { return bytes.map { PropertyListValue.hex($0) }.joined() }
    guard value.isContainer else { return nil }
    switch value.content {
    case .json(let json): return json.text(pretty: true, visible: true)
    case .propertyList(let list):
      guard let bytes = try? PropertyListDocument.encode(list, as: .xml) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    case .keyed(let keyed): return keyed.shownJSON.text(pretty: true, visible: true)
    }
  }
}

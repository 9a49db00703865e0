import Carryover
import CarryoverSystem
import CarryoverTerminal

/// How wide the parts of the candidates are, headings included; 0 where none has the part.
struct CandidateWidths: Hashable {
  var app = 3
  var name = 0
  var files = 0
  /// The name, or else the path, as they share a column on a narrow screen.
  var place = 0

  init(_ candidates: [ContainerCandidate]) {
    for candidate in candidates {
      app = max(app, Self.columns(candidate.bundleID ?? ""))
      if let name = candidate.ownName { self.name = max(self.name, 4, Self.columns(name)) }
      if !candidate.place.isEmpty { place = max(place, 4, Self.columns(candidate.place)) }
      if !candidate.filesText.isEmpty { files = max(files, 5, candidate.filesText.utf8.count) }
    }
  }

  private static func columns(_ text: String) -> Int {
    DisplayWidth.columns(of: DisplayText.visible(text, limit: 100))
  }
}

/// The columns of a candidate's parts; those that no candidate has, or that find no room, are empty.
struct CandidateColumns {
  let app: Range<Int>
  let name: Range<Int>
  let form: Range<Int>
  let files: Range<Int>
  let path: Range<Int>
  /// The state in words; its sign is two columns before it.
  let state: Range<Int>

  init(_ size: Size, _ widths: CandidateWidths, hasStates: Bool = false) {
    let end = size.columns - 2
    var next = 2
    func take(_ width: Int) -> Range<Int> {
      guard width > 0 else { return 0..<0 }
      let range = min(next, end)..<min(next + width, end)
      next = range.upperBound + 2
      return range
    }
    func takeState(_ width: Int) -> Range<Int> {
      let range = take(hasStates ? width + 2 : 0)
      return range.isEmpty ? range : min(range.lowerBound + 2, end)..<range.upperBound
    }
    let isWide = size.columns >= 100
    if isWide {
      app = take(min(widths.app, size.columns * (hasStates ? 20 : 28) / 100))
      name = take(min(widths.name, size.columns * (hasStates ? 14 : 18) / 100))
      state = takeState(size.columns * 34 / 100)
      form = take(13)
      files = take(hasStates && size.columns < 140 ? 0 : min(widths.files, 18))
      path = take(max(0, end - next))
    } else {
      app = take(min(widths.app, size.columns * (hasStates ? 24 : 38) / 100))
      let room = hasStates ? size.columns * 42 / 100 + 2 : min(widths.files, 18)
      name = take(min(widths.place, max(0, end - next - (room > 0 ? room + 2 : 0))))
      form = 0..<0
      state = takeState(room - 2)
      files = take(hasStates ? 0 : room)
      path = 0..<0
    }
  }
}

extension ContainerCandidate {
  /// What tells it from others of the same app: its name, or else its path.
  var place: String { ownName ?? (path == bundleID ? "" : path) }

  /// `812, 3 missing`.
  var filesText: String {
    let files = files.map(String.init) ?? ""
    guard missing > 0 else { return files }
    return (files.isEmpty ? "" : files + ", ") + "\(missing) missing"
  }
}

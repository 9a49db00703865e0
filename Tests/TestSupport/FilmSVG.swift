import CarryoverSystem
package import CarryoverTerminal

/// A session as one animated picture: plain SVG and CSS, no script, so that it also moves where pages embed it as an
/// image. Whoever asked for less motion, and whatever cannot animate, sees the first frame.
///
/// The frames lie side by side and the strip is moved behind the window. A row that several frames share is drawn once.
package enum FilmSVG {
  private static let barHeight = 40

  /// The same bytes for the same frames, which are all of the size of the first.
  package static func svg(of frames: [FilmFrame], theme: Theme, title: String) -> String {
    let frames = merged(frames)
    guard let size = frames.first?.grid.size else { return "" }
    let measure = GridSVG.measure(size)
    let height = measure.height + barHeight
    var rows = RowStore(theme: theme)
    let strip = frames.enumerated().map { index, frame in
      let content = rows.content(of: frame) + bar(of: frame, top: measure.height, width: measure.width, theme: theme)
      return "<g transform=\"translate(\(index * measure.width) 0)\">\n\(content)</g>\n"
    }
    return GridSVG.head(width: measure.width, height: height, title: title, theme: theme)
      + "<style>\n\(style(of: frames, width: measure.width))</style>\n<defs>\n\(rows.definitions)</defs>\n"
      + "<g class=\"film\">\n\(strip.joined())</g>\n</svg>\n"
  }

  private static func merged(_ frames: [FilmFrame]) -> [FilmFrame] {
    var merged: [FilmFrame] = []
    for frame in frames {
      if var last = merged.last, last.grid == frame.grid, last.cursor == frame.cursor, last.keys == frame.keys,
        last.caption == frame.caption
      {
        last.seconds += frame.seconds
        merged[merged.count - 1] = last
      } else {
        merged.append(frame)
      }
    }
    return merged
  }

  private static func style(of frames: [FilmFrame], width: Int) -> String {
    let lengths = frames.map { Int(($0.seconds * 1000).rounded()) }
    let total = max(1, lengths.reduce(0, +))
    var keyframes = ""
    var start = 0
    for (index, length) in lengths.enumerated() {
      keyframes += "\(percent(start, of: total)){transform:translateX(\(-index * width)px)}\n"
      start += length
    }
    return """
      .film{animation:film \(total)ms step-end infinite}
      @keyframes film{
      \(keyframes)}
      @media (prefers-reduced-motion:reduce){.film{animation:none}}

      """
  }

  /// With three digits, and without the locale.
  private static func percent(_ part: Int, of total: Int) -> String {
    let thousandths = part * 100_000 / total
    let rest = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest + "%"
  }

  private static func bar(of frame: FilmFrame, top: Int, width: Int, theme: Theme) -> String {
    let colors = theme.pictureColors
    let text = GridSVG.hex(colors.foreground)
    let faint = GridSVG.hex(PicturePalette.middle(colors.foreground, colors.background))
    var left = 18
    var bar = ""
    if !frame.keys.isEmpty {
      let keys = DisplayWidth.columns(of: frame.keys) * 9
      bar += """
        <rect x="\(left)" y="\(top + 3)" width="\(keys + 18)" height="26" rx="5" fill="none" stroke="\(faint)"/>
        <text x="\(left + 9)" y="\(top + 21)" textLength="\(keys)" fill="\(text)" font-weight="bold">\
        \(GridSVG.escaped(DisplayText.visible(frame.keys)))</text>

        """
      left += keys + 18 + 14
    }
    return bar + """
      <text x="\(left)" y="\(top + 21)" fill="\(text)" font-family="system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', \
      sans-serif">\(GridSVG.escaped(DisplayText.visible(frame.caption)))</text>

      """
  }

  private struct RowStore {
    let theme: Theme
    private(set) var definitions = ""
    private var names: [String: Int] = [:]

    init(theme: Theme) { self.theme = theme }

    mutating func content(of frame: FilmFrame) -> String {
      var content = ""
      for row in 0..<frame.grid.size.rows {
        let markup = GridSVG.row(row, of: frame.grid, top: 0, theme: theme)
        guard !markup.isEmpty else { continue }
        let top = GridSVG.top(ofRow: row)
        content += "<use href=\"#r\(name(of: markup))\"\(top == 0 ? "" : " y=\"\(top)\"")/>\n"
      }
      return content + (frame.cursor.map { GridSVG.cursor(at: $0, theme: theme) } ?? "")
    }

    private mutating func name(of markup: String) -> Int {
      if let name = names[markup] { return name }
      let name = names.count
      names[markup] = name
      definitions += "<g id=\"r\(name)\">\n\(markup)</g>\n"
      return name
    }
  }
}

/// One moment of a session that is shown as a film.
package struct FilmFrame: Hashable, Sendable {
  package var grid: Grid
  /// Where the cursor stands; nil where it is hidden.
  package var cursor: Position?
  package var seconds: Double
  /// The keys that led to it; may be empty.
  package var keys: String
  package var caption: String

  package init(grid: Grid, cursor: Position? = nil, seconds: Double, keys: String = "", caption: String) {
    self.grid = grid
    self.cursor = cursor
    self.seconds = seconds
    self.keys = keys
    self.caption = caption
  }
}

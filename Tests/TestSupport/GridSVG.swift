import CarryoverSystem
package import CarryoverTerminal

/// A grid as a picture: the same bytes for the same grid, theme and title, on every machine.
package enum GridSVG {
  private static let cellWidth = 9
  private static let cellHeight = 18
  private static let baseline = 14
  private static let margin = 9

  /// The SVG document. Text is placed run by run and stretched to its columns, so that it lines up in any font; lines
  /// are paths, so that frames have no gaps.
  package static func svg(of grid: Grid, theme: Theme, title: String) -> String {
    let measure = measure(grid.size)
    var svg = head(width: measure.width, height: measure.height, title: title, theme: theme)
    for row in 0..<grid.size.rows { svg += self.row(row, of: grid, top: top(ofRow: row), theme: theme) }
    return svg + "</svg>\n"
  }

  static func measure(_ size: Size) -> (width: Int, height: Int) {
    (size.columns * cellWidth + 2 * margin, size.rows * cellHeight + 2 * margin)
  }

  static func top(ofRow row: Int) -> Int { margin + row * cellHeight }

  /// What stands before the content: the fonts, the title, the ground.
  static func head(width: Int, height: Int, title: String, theme: Theme) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
    role="img" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" \
    font-size="15">
    <title>\(escaped(DisplayText.visible(title)))</title>
    <rect width="\(width)" height="\(height)" rx="6" fill="\(hex(theme.pictureColors.background))"/>

    """
  }

  /// One row of a grid; empty where nothing is to be seen.
  static func row(_ row: Int, of grid: Grid, top: Int, theme: Theme) -> String {
    let runs = runs(of: grid.cells(row), glyphs: grid.glyphs)
    return runs.map { background(of: $0, top: top, theme: theme) }.joined()
      + runs.map { foreground(of: $0, top: top, theme: theme) }.joined()
  }

  /// The cursor, as the bar that terminals show where text is typed.
  static func cursor(at position: Position, theme: Theme) -> String {
    let left = margin + position.column * cellWidth
    return """
      <rect x="\(left)" y="\(top(ofRow: position.row) + 1)" width="2" height="\(cellHeight - 2)" \
      fill="\(hex(theme.pictureColors.foreground))"/>

      """
  }

  private struct Run {
    enum Content { case text, lines, wide }

    var content: Content
    var style: Style
    var column: Int
    var columns: Int
    var texts: [String]
  }

  private static func runs(of cells: [Cell], glyphs: Glyphs) -> [Run] {
    var runs: [Run] = []
    for (column, cell) in cells.enumerated() where cell.columns > 0 {
      let isLine = glyphs == .unicode && !glyphs.arms(of: cell).isEmpty
      let content: Run.Content = isLine ? .lines : cell.columns == 2 ? .wide : .text
      if var last = runs.last, last.content == content, content != .wide, last.style == cell.style {
        last.columns += cell.columns
        last.texts.append(cell.text)
        runs[runs.count - 1] = last
      } else {
        runs.append(Run(content: content, style: cell.style, column: column, columns: cell.columns, texts: [cell.text]))
      }
    }
    return runs
  }

  private static func colors(of style: Style, theme: Theme) -> (text: UInt32, ground: UInt32?) {
    let look = theme.look(for: style)
    let onLight = theme.pictureColors.background & 0xFF > 0x7F
    var text =
      look.foreground.map { PicturePalette.rgb($0.indexed, onLight: onLight) } ?? theme.pictureColors.foreground
    var ground = look.background.map { PicturePalette.rgb($0.indexed) }
    if look.reverse { (text, ground) = (ground ?? theme.pictureColors.background, text) }
    if look.dim { text = PicturePalette.middle(text, ground ?? theme.pictureColors.background) }
    return (text, ground)
  }

  private static func background(of run: Run, top: Int, theme: Theme) -> String {
    guard let ground = colors(of: run.style, theme: theme).ground else { return "" }
    let left = margin + run.column * cellWidth
    let width = run.columns * cellWidth
    return """
      <rect x="\(left)" y="\(top)" width="\(width)" height="\(cellHeight)" fill="\(hex(ground))"/>

      """
  }

  private static func foreground(of run: Run, top: Int, theme: Theme) -> String {
    let color = hex(colors(of: run.style, theme: theme).text)
    if run.content == .lines { return "<path d=\"\(path(of: run, top: top))\" stroke=\"\(color)\" fill=\"none\"/>\n" }
    guard let first = run.texts.firstIndex(where: { $0 != " " }),
      let last = run.texts.lastIndex(where: { $0 != " " })
    else { return "" }
    let texts = run.texts[first...last]
    let left = margin + (run.column + first) * cellWidth
    let columns = run.content == .wide ? 2 : texts.count
    let look = theme.look(for: run.style)
    let attributes =
      (look.bold ? " font-weight=\"bold\"" : "") + (look.underline ? " text-decoration=\"underline\"" : "")
    return """
      <text x="\(left)" y="\(top + baseline)" textLength="\(columns * cellWidth)" lengthAdjust="spacingAndGlyphs" \
      xml:space="preserve" fill="\(color)"\(attributes)>\(escaped(texts.joined()))</text>

      """
  }

  /// Line characters as strokes through the middles of their cells; neighbours that continue each other are one.
  private static func path(of run: Run, top: Int) -> String {
    var path = ""
    var strokeStart: Int?
    var strokeEnd = 0
    let middle = "\(top + cellHeight / 2)"
    func finishStroke() {
      if let start = strokeStart { path += "M\(start) \(middle)H\(strokeEnd)" }
      strokeStart = nil
    }
    for (offset, text) in run.texts.enumerated() {
      let arms = Glyphs.unicode.arms(of: Cell(text))
      let left = margin + (run.column + offset) * cellWidth
      let center = "\(left + cellWidth / 2)"
      if arms.contains(.up) || arms.contains(.down) {
        let from = arms.contains(.up) ? "\(top)" : middle
        let to = arms.contains(.down) ? "\(top + cellHeight)" : middle
        path += "M\(center) \(from)V\(to)"
      }
      if arms.contains(.left) {
        strokeStart = strokeStart ?? left
        strokeEnd = left + cellWidth / 2
      } else {
        finishStroke()
      }
      if arms.contains(.right) {
        strokeStart = strokeStart ?? left + cellWidth / 2
        strokeEnd = left + cellWidth
      } else {
        finishStroke()
      }
    }
    finishStroke()
    return path
  }

  static func hex(_ color: UInt32) -> String {
    let digits = String(color & 0xFF_FFFF, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.add("&amp;")
      case "<": result.add("&lt;")
      case ">": result.add("&gt;")
      case "\"": result.add("&quot;")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}

/// A grid as a text file, as screens are recorded.
package enum GridText {
  /// One line for each row, without the blanks at its end; every line ends in a line feed.
  package static func text(of grid: Grid) -> String {
    grid.lines.reduce(into: "") { text, line in
      let end = line.unicodeScalars.lastIndex { $0 != " " }.map { line.unicodeScalars.index(after: $0) }
      text += line[..<(end ?? line.startIndex)]
      text += "\n"
    }
  }
}

/// The colours of pictures, as 0xRRGGBB.
package enum PicturePalette {
  /// The first 16 are set by each terminal.
  private static let basic: [UInt32] = [
    0x1E1E1E, 0xE06C75, 0x98C379, 0xE5C07B, 0x61AFEF, 0xC678DD, 0x3FA7B5, 0xD4D4D4,
    0x7A8290, 0xFF7B86, 0xB1E092, 0xFFD58A, 0x80C4FF, 0xDD93F5, 0x6FD3DE, 0xFFFFFF,
  ]

  /// On a light ground people set them darker.
  private static let basicOnLight: [UInt32] = [
    0x24292F, 0xB42318, 0x1F7A34, 0x8A5A00, 0x0A5CA8, 0x8238B8, 0x0B6B7A, 0x57606A,
    0x6A737D, 0xC4382C, 0x2A8F43, 0x9A6700, 0x1B6FC2, 0x9A4DD0, 0x1483A0, 0xFFFFFF,
  ]

  package static func rgb(_ index: UInt8, onLight: Bool = false) -> UInt32 {
    index < 16 ? (onLight ? basicOnLight : basic)[Int(index)] : Palette.rgb(index)
  }

  package static func middle(_ one: UInt32, _ other: UInt32) -> UInt32 {
    (((one ^ other) & 0xFEFEFE) >> 1) + (one & other)
  }
}

extension Theme {
  /// What a picture shows where the terminal would use its own colours.
  package var pictureColors: (foreground: UInt32, background: UInt32) {
    switch name {
    case "light": (0x24292F, 0xFFFFFF)
    case "mono": (0x000000, 0xFFFFFF)
    default: (0xD4D4D4, 0x16181D)
    }
  }
}

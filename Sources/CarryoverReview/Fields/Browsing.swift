import Carryover
import PropertyLists

extension ReviewState {
  /// Shows the stores: for a field they were not shown for last, at the key it comes from.
  mutating func browseField() -> [ReviewEffect] {
    guard browser != nil else { return [.bell] }
    if let field = selected, browsedField.map(field.id.hasSameBytes) != true {
      browsedField = field.id
      if let origin = field.origin { browser?.show(store: origin.store, key: origin.source.key) }
    }
    open(.stores)
    return []
  }

  /// Lets the browser of stores take an action.
  mutating func browse(_ input: ScreenInput) -> [ReviewEffect] {
    guard var browser else { return [.bell] }
    // Taken out, so that it is changed in place and not copied.
    self.browser = nil
    let asked = reduce(&browser, input)
    self.browser = browser
    var effects: [ReviewEffect] = []
    for effect in asked {
      switch effect {
      case .copy(let text): effects.append(.copy(text))
      case .errand(let errand): effects.append(.errand(errand))
      case .suspend: effects.append(.suspend)
      case .bell: effects.append(.bell)
      case .leave: back()
      }
    }
    return effects
  }
}

extension ScreenContent<ReviewState> {
  /// The stores, in a browser that has screens and keys of its own.
  static var stores: ScreenContent {
    drawn(.stores) { canvas in
      guard let browser = canvas.state.browser else { return }
      let frame = render(browser)
      (canvas.grid, canvas.cursor) = (frame.grid, frame.cursor)
    }
    .with { $0.ownsFrame = true }
  }
}

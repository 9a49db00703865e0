package import CarryoverTerminal

/// One moment of a session that is shown as a film.
package struct FilmFrame: Hashable, Sendable {
  /// What is on the screen.
  package var grid: Grid
  /// Where the cursor stands; nil where it is hidden.
  package var cursor: Position?
  /// How long it is shown.
  package var seconds: Double
  /// The keys that led to it; may be empty.
  package var keys: String
  /// What happens, in a sentence.
  package var caption: String

  /// A moment.
  package init(grid: Grid, cursor: Position? = nil, seconds: Double, keys: String = "", caption: String) {
    self.grid = grid
    self.cursor = cursor
    self.seconds = seconds
    self.keys = keys
    self.caption = caption
  }
}

/// One moment of a session that is shown as a film.
public struct FilmFrame: Hashable, Sendable {
  /// What is on the screen.
  public var grid: Grid
  /// Where the cursor stands; nil where it is hidden.
  public var cursor: Position?
  /// How long it is shown.
  public var seconds: Double
  /// The keys that led to it; may be empty.
  public var keys: String
  /// What happens, in a sentence.
  public var caption: String

  /// A moment.
  public init(grid: Grid, cursor: Position? = nil, seconds: Double, keys: String = "", caption: String) {
    self.grid = grid
    self.cursor = cursor
    self.seconds = seconds
    self.keys = keys
    self.caption = caption
  }
}

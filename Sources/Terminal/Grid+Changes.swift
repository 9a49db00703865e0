extension Grid {
  /// Calls `body` for every cell that differs from another grid's, row by row; for every one that is not blank where
  /// there is no other grid of this size. Second halves of wide cells are left out.
  public func forEachChange(since previous: Grid?, _ body: (_ row: Int, _ column: Int, _ cell: Cell) -> Void) {
    let old = previous.flatMap { $0.size == size ? $0 : nil }
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let cell = self[row, column]
        if cell.columns > 0, old.map({ $0[row, column] != cell }) ?? (cell != .blank()) {
          body(row, column, cell)
        }
      }
    }
  }
}

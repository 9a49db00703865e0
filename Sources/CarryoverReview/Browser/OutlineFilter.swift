/// What of an outline is listed: the places that a text was found at, with everything in them, and what leads there.
struct OutlineFilter: Sendable {
  /// A place of which only some children are listed: their numbers, ascending, and where theirs are; nil for a child that
  /// is listed with everything in it.
  struct Branch: Sendable {
    fileprivate(set) var indices: [Int] = []
    fileprivate var branches: [Int?] = []
  }

  private(set) var branches = [Branch()]

  /// - Parameter places: Where it was found, in the order of the outline.
  init(_ places: [[Int]]) {
    // The way to the last place: the number of each child, and its branch.
    var way: [(index: Int, branch: Int?)] = []
    for place in places {
      var shared = 0
      while shared < way.count, shared < place.count, way[shared].index == place[shared] { shared += 1 }
      // What is in something that is listed as a whole is listed with it.
      if shared > 0, way[shared - 1].branch == nil { continue }
      way.removeSubrange(shared...)
      var branch: Int? = shared == 0 ? 0 : way[shared - 1].branch
      for step in shared..<max(shared, place.count) {
        guard let parent = branch else { break }
        branch = step + 1 < place.count ? branches.count : nil
        if branch != nil { branches.append(Branch()) }
        branches[parent].indices.append(place[step])
        branches[parent].branches.append(branch)
        way.append((place[step], branch))
      }
    }
  }

  var isEmpty: Bool { branches[0].indices.isEmpty }

  /// The branch of a child; nil where everything in it is listed.
  func branch(of index: Int, in branch: Int) -> Int? {
    let parent = branches[branch]
    let place = parent.indices.lowerBound(index)
    return place < parent.indices.count && parent.indices[place] == index ? parent.branches[place] : nil
  }

  /// Whether a place is listed.
  func lists(_ place: [Int]) -> Bool {
    var branch = 0
    for index in place {
      let parent = branches[branch]
      let found = parent.indices.lowerBound(index)
      guard found < parent.indices.count, parent.indices[found] == index else { return false }
      guard let next = parent.branches[found] else { return true }
      branch = next
    }
    return true
  }
}

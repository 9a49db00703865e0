import CarryoverReview

@Suite("Recorded screens") struct ScreensTests {
  @Test func `every recorded screen is up to date`() throws {
    let folder = packageRoot.appending(path: "Screens")
    let expected = try Self.recordings()
    if ProcessInfo.processInfo.environment["CARRYOVER_RECORD_SCREENS"] == "1" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where expected[name] == nil {
        try FileManager.default.removeItem(at: folder.appending(path: name))
      }
      for (name, content) in expected { try Data(content.utf8).write(to: folder.appending(path: name)) }
    }
    let found = Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    #expect(found == Set(expected.keys), "stale: run `make record`")
    for (name, content) in expected.sorted(by: { $0.key < $1.key }) {
      let recorded = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let difference = Self.difference(from: recorded ?? "", to: content)
      #expect(difference.isEmpty, "Screens/\(name) is stale: run `make record`.\n\(difference)")
    }
  }

  @Test(arguments: Scene.all.map(\.name))
  func `each scene contains its words and selects its rows`(name: String) throws {
    let scene = try #require(Scene.all.first { $0.name == name })
    let session = try scene.session(Scene.size)
    #expect(session.text.contains(scene.shows))
    let selected = session.selectedRows
    #expect(selected.count == scene.selected.count)
    for (row, words) in zip(selected, scene.selected) { #expect(row.contains(words)) }
  }

  private static func difference(from old: String, to new: String) -> String {
    let changes = new.split(separator: "\n", omittingEmptySubsequences: false)
      .difference(from: old.split(separator: "\n", omittingEmptySubsequences: false))
    return changes.prefix(40).map { change in
      switch change {
      case .remove(let line, let text, _): "\(line + 1) - \(text)"
      case .insert(let line, let text, _): "\(line + 1) + \(text)"
      }
    }.joined(separator: "\n")
  }

  static func recordings() throws -> [String: String] {
    var files: [String: String] = [:]
    for scene in Scene.all where scene.isRecorded { files["\(scene.name).txt"] = try scene.session(Scene.size).text }
    let review = try #require(Scene.all.first)
    for size in Scene.layouts {
      files["\(review.name)-\(size.columns)x\(size.rows).txt"] = try review.session(size).text
    }
    files["\(review.name)-ascii.txt"] = try review.session(Scene.size, glyphs: .ascii).text
    for picture in Picture.all { files[picture.file] = try picture.svg() }
    files["demo.svg"] = FilmSVG.svg(of: try DemoStory.film(), theme: .dark, title: DemoStory.title)
    files["containers.txt"] = Self.picking().text
    files["containers-filter.txt"] = Self.picking(typing: "/shop").text
    for (name, script) in [("states", ""), ("findings", "w "), ("sorted", "w <esc>ss")] {
      var picking = Picking(sampleFleet, columns: Scene.size.columns, rows: Scene.size.rows, isPlanning: true)
      picking.state.learn(sampleStates)
      picking.type(script)
      files["containers-\(name).txt"] = picking.text
      guard name == "states" else { continue }
      picking.send(.resized(Size(columns: 120, rows: 40)))
      files["containers-\(name)-120x40.txt"] = picking.text
    }
    for scene in LineScene.all { files["lines-\(scene.name).txt"] = try scene.transcript() }
    files["too-small-50x10.txt"] = try Session(samplePlan("AcmeShop"), columns: 50, rows: 10).text
    return files
  }

  private static func picking(typing script: String = "") -> Picking {
    var picking = Picking(columns: Scene.size.columns, rows: Scene.size.rows, glyphs: .unicode)
    picking.type(script)
    return picking
  }
}

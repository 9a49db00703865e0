import CarryoverReview
import CarryoverTerminal
import Foundation
import TerminalTestSupport
import Testing

@Suite("Recorded screens")
struct ScreensTests {
  @Test("every recorded screen is up to date")
  func recordedScreens() throws {
    let folder = packageRoot.appending(path: "Screens")
    let expected = try Self.recordings()
    if ProcessInfo.processInfo.environment["CARRYOVER_RECORD_SCREENS"] == "1" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where expected[name] == nil {
        try FileManager.default.removeItem(at: folder.appending(path: name))
      }
      for (name, content) in expected {
        try Data(content.utf8).write(to: folder.appending(path: name))
      }
    }
    let found = Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    #expect(found == Set(expected.keys), "stale: run `make screens`")
    for (name, content) in expected.sorted(by: { $0.key < $1.key }) {
      let recorded = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
      // The screens themselves would bury the one line that matters.
      let isCurrent = recorded == content
      #expect(isCurrent, "Screens/\(name) is stale: run `make screens`")
    }
  }

  /// What each file should hold.
  static func recordings() throws -> [String: String] {
    var files: [String: String] = [:]
    for scene in Scene.all {
      for size in Scene.sizes {
        files["\(scene.name)-\(size.columns)x\(size.rows).txt"] = try scene.session(size).text
      }
      files["\(scene.name)-80x24-ascii.txt"] = try scene.session(Size(columns: 80, rows: 24), glyphs: .ascii).text
      if Scene.wide.contains(scene.name) {
        files["\(scene.name)-200x50.txt"] = try scene.session(Scene.wideSize).text
      }
    }
    for picture in Picture.all { files[picture.file] = try picture.svg() }
    files["demo.svg"] = FilmSVG.svg(of: try DemoStory.film(), theme: .dark, title: DemoStory.title)
    for size in Scene.sizes {
      files["containers-\(size.columns)x\(size.rows).txt"] = Self.picking(size).text
      files["containers-filter-\(size.columns)x\(size.rows).txt"] = Self.picking(size, typing: "/shop").text
    }
    let ascii = Size(columns: 80, rows: 24)
    files["containers-80x24-ascii.txt"] = Self.picking(ascii, glyphs: .ascii).text
    for scene in LinearScene.all { files["linear-\(scene.name).txt"] = try scene.transcript() }
    files["linear-containers.txt"] = LinearScene.choosing()
    files["too-small-50x10.txt"] = try Session(samplePlan("AcmeShop"), columns: 50, rows: 10).text
    return files
  }

  private static func picking(_ size: Size, typing script: String = "", glyphs: Glyphs = .unicode) -> Picking {
    var picking = Picking(columns: size.columns, rows: size.rows, glyphs: glyphs)
    picking.type(script)
    return picking
  }
}

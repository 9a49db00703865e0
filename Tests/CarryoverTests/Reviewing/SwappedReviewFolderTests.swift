import Carryover
import CarryoverStorage
import CarryoverSystem
import Foundation
import Testing

@Suite("Keeping decisions while somebody swaps the state folder for a link")
struct SwappedReviewFolderTests {
  @Test("Swapped before any operation: nothing is written behind the link", arguments: [true, false])
  func beforeEach(durably: Bool) throws {
    var number = 0
    while try isSwapped(before: number, durably: durably) { number += 1 }
    #expect(number > 8)
  }

  /// Replaces kept decisions, and looks at what stands behind the link.
  /// - Returns: false where there were not so many operations.
  private func isSwapped(before number: Int, durably: Bool) throws -> Bool {
    let folder = try TemporaryFolder()
    let (state, outside) = (folder.path + "/.carryover", folder.path + "/outside")
    let real = KeptBox(POSIXFileSystem(), folder.box)
    try real.file().write(real.review(["session_id": .skip]), durably: true)
    try FileManager.default.copyItem(atPath: state, toPath: outside)
    let before = try folder.tree()
    let kept = KeptBox(
      MomentaryFileSystem(before: number) {
        rename(state, state + ".aside")
        symlink(outside, state)
      }, folder.box)
    var isDone = true
    do throws(SavedReviewError) {
      try kept.file().write(kept.review(), durably: durably)
    } catch {
      isDone = false
    }
    #expect(try folder.tree() == before, "swapped before \(number)")
    guard (try? FileManager.default.destinationOfSymbolicLink(atPath: state)) != nil else {
      #expect(isDone)
      return false
    }
    return true
  }
}

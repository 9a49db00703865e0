import Carryover
import CarryoverStorage
import CarryoverSystem
import PropertyLists

/// A container in some file system whose review is kept, and a few decisions about it.
struct KeptBox {
  let fileSystem: any FileSystem
  let box: SampleBox
  var container: Container { box.container }
  let plan: Plan

  init(_ fileSystem: any FileSystem, _ box: SampleBox) {
    self.fileSystem = fileSystem
    self.box = box
    plan = box.plan(target: nil)
  }

  static func inMemory() throws -> (MemoryFileSystem, KeptBox) {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: nil)
    return (fileSystem, KeptBox(fileSystem, box))
  }

  func file(writer: Int32 = 7, in container: Container? = nil) -> SavedReviewFile {
    SavedReviewFile(
      fileSystem: fileSystem, container: container ?? self.container, writer: writer, toolVersion: "0.1.0",
      key: TestKey.own)
  }

  var state: String { container.stateDirectory }

  static let decisions: Decisions = [
    "anonymous_id": .migrate, "session_id": .edit("1763640001"), "is_manual_session": .skip,
  ]

  static func review(_ plan: Plan, _ decisions: Decisions = decisions, at moment: Moment = SampleBox.moment)
    -> SavedReview
  {
    SavedReview(
      of: plan,
      decisions: decisions.sorted { $0.key < $1.key }.compactMap { id, decision in
        plan.field(id).map { KeptDecision(field: id, decision: decision, basis: FieldBasis($0)) }
      }, at: moment)
  }

  func review(_ decisions: Decisions = Self.decisions) -> SavedReview { Self.review(plan, decisions) }
}

import CarryoverContainers
import CarryoverSystem
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

@testable import Carryover

/// What each earlier version has left in containers, read by this one.
@Suite("What earlier versions have written")
struct UpgradeTests {
  private static let ended = ["applied", "rolled-back", "partly-rolled-back", "cleaned-up", "bare-list"]
  private static let killed = [
    "killed-undecided", "killed-decided", "killed-new-file", "killed-in-cleanup", "killed-in-rollback", "killed-ending",
  ]
  private static let kinds = [
    "applied": ["apply"], "rolled-back": ["rollback", "apply"], "partly-rolled-back": ["rollback", "apply"],
    "cleaned-up": ["cleanup", "apply"], "bare-list": ["apply"],
  ]

  private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  @Test("there are fixtures of every version, with every fixture")
  func complete() throws {
    #expect(UpgradeFixture.versions.contains("0.1.0"))
    for version in UpgradeFixture.versions {
      let names = try FileManager.default.contentsOfDirectory(
        atPath: UpgradeFixture.folder.appendingPathComponent(version).path)
      let others = [
        "saved-decisions", "saved-decisions-draft", "saved-plan", "restored", "routed-stamp", "routed-theme",
      ]
      #expect(Set(names) == Set(Self.ended + Self.killed + others))
    }
  }

  @Test("history lists the runs, what they wrote and what was taken back", arguments: UpgradeFixture.versions)
  func history(version: String) throws {
    for name in Self.ended {
      let fixture = try UpgradeFixture(version, name)
      let before = try fixture.everything()
      let result = try Tool.carryover("history", fixture.path, "--json")
      #expect(result.status == 0, "\(name): \(result.error)")
      let listing = try result.json()
      let runs = try #require(listing["runs"] as? [[String: Any]])
      #expect(runs.compactMap { $0["kind"] as? String } == Self.kinds[name], "\(name)")
      #expect((listing["problems"] as? [Any])?.isEmpty == true, "\(name)")
      // They have no seal, so they came with the container.
      #expect(runs.allSatisfy { $0["standing"] as? String == "came-along" && $0["origin"] as? String == "unsealed" })
      for run in runs {
        #expect(run["tool"] as? String == version && run["moment"] as? String != nil, "\(name)")
        #expect((run["fields"] as? [Any])?.isEmpty == false && (run["files"] as? [Any])?.isEmpty == false, "\(name)")
      }
      #expect(try fixture.everything() == before, "\(name)")
    }
  }

  @Test(
    "every record is read, its copies are those it names, and it is written again as it stands",
    arguments: UpgradeFixture.versions)
  func records(version: String) throws {
    for name in Self.ended + Self.killed {
      let fixture = try UpgradeFixture(version, name)
      let store = RunStore(fileSystem: POSIXFileSystem(), path: fixture.state, seal: nil)
      let runs = try fixture.runs()
      #expect(!runs.isEmpty, "\(name)")
      for run in runs {
        let id = try #require(RunID(run))
        let record = try #require(try store.record(id), "\(name)")
        #expect(record.tool == version && !record.files.isEmpty, "\(name)")
        let isDone = record.state == .done
        #expect(isDone || Self.killed.contains(name), "\(name)")
        for file in record.files {
          #expect(throws: Never.self, "\(name)") {
            _ = try store.state(.before, file.before, of: id)
            _ = try store.state(.after, file.after, of: id)
          }
        }
        #expect(record.foreign == .unsealed, "\(name)")
        var again = try RunRecord(RecordReader(Array(record.document.text().utf8), path: "record.json"))
        again.foreign = record.foreign
        #expect(again == record, "\(name)")
      }
    }
  }

  @Test("every journal is read, and names the files of its run", arguments: UpgradeFixture.versions)
  func journals(version: String) throws {
    for name in Self.killed {
      let fixture = try UpgradeFixture(version, name)
      let path = fixture.state + "/journal.json"
      guard name != "killed-undecided" else {
        #expect(!FileManager.default.fileExists(atPath: path))
        continue
      }
      let journal = try Journal(bytes(path), path: path) { _ in nil }
      let store = RunStore(fileSystem: POSIXFileSystem(), path: fixture.state, seal: nil)
      let record = try #require(try store.record(journal.run), "\(name)")
      let newest = try fixture.runs().last
      #expect(journal.files == record.files && journal.run.text == newest, "\(name)")
      let again = Array(journal.document.text().utf8)
      #expect(try Journal(again, path: path) { _ in nil } == journal, "\(name)")
    }
  }

  @Test(
    "reading a container with a run that was cut off says so and writes nothing", arguments: UpgradeFixture.versions)
  func cutOff(version: String) throws {
    for name in Self.killed where name != "killed-undecided" {
      let fixture = try UpgradeFixture(version, name)
      let before = try fixture.everything()
      let result = try Tool.carryover("inspect", fixture.path)
      #expect(result.status == 5, "\(name): \(result.error)")
      #expect(try fixture.everything() == before, "\(name)")
    }
  }

  @Test("a run that was cut off is finished or taken back once it is adopted", arguments: UpgradeFixture.versions)
  func adopted(version: String) throws {
    for name in Self.killed where name != "killed-undecided" {
      let fixture = try UpgradeFixture(version, name)
      let before = try fixture.data()
      let refused = try Tool.carryover("recover", fixture.path)
      #expect(refused.status == 5 && refused.error.contains("--adopt"), "\(name): \(refused.error)")
      #expect(try fixture.data() == before, "\(name)")
      let result = try Tool.carryover("recover", fixture.path, "--adopt", "--yes", "--json")
      #expect(result.status == 0, "\(name): \(result.error)")
      let recovered = try #require(try result.json()["recovered"] as? [[String: Any]])
      #expect(recovered.compactMap { $0["ending"] as? String } == ["finished"], "\(name): \(result.output)")
      let runs = try #require(try Tool.carryover("history", fixture.path, "--json").json()["runs"] as? [[String: Any]])
      #expect(runs.first?["origin"] as? String == "own", "\(name)")
    }
  }

  @Test("a finished run is rolled back once it is adopted, and not before", arguments: UpgradeFixture.versions)
  func rolledBack(version: String) throws {
    let fixture = try UpgradeFixture(version, "applied")
    let before = try fixture.data()
    let run = try #require(try fixture.runs().last)
    let refused = try Tool.carryover("rollback", fixture.path, "--run", run, "--yes")
    #expect(refused.status == 5 && refused.error.contains("--adopt --run \(run)"), "\(refused.error)")
    #expect(try fixture.data() == before)
    #expect(try Tool.carryover("recover", fixture.path, "--adopt", "--run", run, "--yes").status == 0)
    #expect(try fixture.data() == before)
    let result = try Tool.carryover("rollback", fixture.path, "--yes")
    #expect(result.status == 0, "\(result.error)")
    #expect(try fixture.data() != before)
  }

  @Test("decisions of a review are offered again, the draft's too", arguments: UpgradeFixture.versions)
  func decisions(version: String) throws {
    for name in ["saved-decisions", "saved-decisions-draft"] {
      let fixture = try UpgradeFixture(version, name)
      let files = POSIXFileSystem()
      let container = try ContainerOpener(fileSystem: files).open(fixture.path)
      let now = try #require(PropertyListDate(iso8601: SampleCopy.now))
      let plan = Planner(.rudderStackObjC).plan(
        container, now: Moment(millisecondsSince1970: Int64(now.secondsSince1970 * 1000)),
        options: PlannerOptions(writeKey: SampleCopy.writeKey))
      let key = try #require(StateKey([UInt8](repeating: 7, count: StateKey.length)))
      let file = SavedReviewFile(fileSystem: files, container: container, writer: 1, toolVersion: "test", key: key)
      let (found, foreign, problem) = file.read(for: plan)
      #expect(foreign == .unsealed)
      let review = try #require(found, "\(name)")
      #expect(problem == nil)
      let (fitting, misfits) = review.fit(plan)
      // A later recipe may ask another question; then they are shown and not taken up.
      let isSame = review.recipeVersion == plan.recipe.version
      #expect(isSame ? misfits.isEmpty : fitting.isEmpty, "\(name): \(misfits)")
      let kept = Dictionary(uniqueKeysWithValues: review.decisions.map { ($0.field, $0.decision) })
      #expect(kept == ["anonymous_id": .migrate, "user_id": .edit("u-2002"), "traits": .skip], "\(name)")
    }
  }

  @Test("a saved plan is read, and applied to the container it was made of", arguments: UpgradeFixture.versions)
  func plan(version: String) throws {
    let fixture = try UpgradeFixture(version, "saved-plan")
    let saved = try #require(try SavedPlanFile(fileSystem: POSIXFileSystem()).read(fixture.path("plan.json"))).first
    #expect(saved.tool == version && saved.decisions == ["user_id": .edit("u-2002"), "session_id": .skip])
    let result = try Tool.carryover(
      "apply", fixture.path("plan.json"), "--container", fixture.path, "--yes")
    let recipe = try saved.ownRecipe(among: Recipe.builtIn)
    guard saved.recipe == recipe.reference else {
      // A recipe whose results changed makes another plan; the old one is refused, not carried out.
      #expect(result.status != 0 && result.error.contains("version"), "\(result.error)")
      return
    }
    #expect(result.status == 0, "\(result.error)")
    let target = try PropertyListDocument(bytes: bytes(fixture.path + "/" + UpgradeFixture.target)).dictionary
    #expect(target?["user_id"] == "u-2002" && target?["session_id"] == nil && target?["app.counter"] == 0)
  }
}

import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

/// One screen in one situation, reached by keys from the plan of a sample.
struct Scene: Sendable {
  var name: String
  var sample = "AcmeShop"
  var recovered: [RecoveredRun] = []
  var recoveryFailure: ReviewFailure?
  var reach: @Sendable (inout Session) -> Void

  func session(_ size: Size, glyphs: Glyphs = .unicode) throws -> Session {
    var session = Session(
      try samplePlan(sample), columns: size.columns, rows: size.rows, glyphs: glyphs, recovered: recovered,
      recoveryFailure: recoveryFailure, container: try sampleContainer(sample), atFirstRow: false)
    reach(&session)
    return session
  }

  static let all: [Scene] = [
    Scene(name: "review") { _ in },
    Scene(name: "person-review", sample: "Person") { _ in },
    Scene(name: "person-details", sample: "Person") { $0.type("g<enter>") },
    Scene(name: "review-focus-warnings") { $0.type("2jj") },
    Scene(name: "review-decided") { $0.type(" <end>e<c-u>420<enter>ks") },
    Scene(name: "details") { $0.type("<enter>") },
    Scene(name: "details-traits") { $0.type("gjj<enter>") },
    Scene(name: "details-moment") { $0.type("gjjjjj<enter>") },
    Scene(name: "edit") { $0.type("<end>e<c-u>4.2") },
    Scene(name: "warnings") { $0.type("w") },
    Scene(name: "warnings-chosen", sample: "HalfFilled") { $0.type("wj") },
    Scene(name: "finding") { $0.type("x") },
    Scene(name: "details-conflict", sample: "HalfFilled") { $0.type("<enter> s") },
    Scene(name: "recipes") { $0.type("r") },
    Scene(name: "log") {
      $0.applySample()
      $0.type("L")
    },
    Scene(name: "preview-undecided") { $0.type("a") },
    Scene(name: "preview") { $0.type(" a") },
    Scene(name: "result") {
      $0.type(" ay")
      $0.send(.applied(.success(acmeReport)))
    },
    Scene(name: "rollback") {
      $0.type(" ay")
      $0.send(.applied(.success(acmeReport)))
      $0.type("R")
      $0.send(.rollbackPlan(cleanPlan))
    },
    Scene(name: "history") {
      $0.openHistory()
      $0.type("j")
    },
    Scene(name: "run") {
      $0.openHistory()
      $0.type("j")
      $0.openRun()
      $0.type("a jnn ")
    },
    Scene(name: "run-opened") {
      $0.openHistory()
      $0.type("j")
      $0.openRun(cleanPlan)
    },
    Scene(name: "rollback-undecided") {
      $0.openHistory()
      $0.type("j")
      $0.openRun()
      $0.type("aR")
    },
    Scene(name: "rollback-decided") {
      $0.openHistory()
      $0.type("j")
      $0.openRun()
      $0.type("ajj k nn  R")
    },
    Scene(name: "recovered", recovered: sampleRecovered) { _ in },
    Scene(name: "recovery-failed", recoveryFailure: sampleRecoveryFailure) { _ in },
    Scene(name: "failure-step") {
      $0.applySample(
        failedOperations,
        .failure(
          ReviewFailure(
            message: "Could not write the new file: no space is left on the disk. Nothing was changed.",
            remedy: "Free some space on that disk and try again.")))
    },
    Scene(name: "failure") {
      $0.type(" ay")
      $0.send(
        .applied(
          .failure(
            ReviewFailure(
              message:
                "The container changed after the plan was made: AppData/Library/Preferences/com.acme.shop.plist. "
                + "Nothing was written.",
              remedy: "Go back: the plan has been made again. Look at what changed, then apply."))))
    },
    Scene(name: "review-conflict", sample: "HalfFilled") { _ in },
    Scene(name: "preview-conflict", sample: "HalfFilled") { $0.type(" n a") },
    Scene(name: "review-disagree", sample: "Disagree") { _ in },
    Scene(name: "details-disagree", sample: "Disagree") { $0.type("g<enter>") },
    Scene(name: "preview-blocked", sample: "OptedOut") { $0.type("a") },
    Scene(name: "review-corrupt", sample: "CorruptTraits") { $0.type("gjj") },
    Scene(name: "stores") { $0.type("gjjb") },
    Scene(name: "stores-search") { $0.type("gb/acme") },
    Scene(name: "stores-matches") { $0.type("gb/acme<enter>n") },
    Scene(name: "stores-details") { $0.type("gjjb ") },
    Scene(name: "stores-data") { $0.type("b/pushToken<enter> ") },
    Scene(name: "stores-help") { $0.type("gb?") },
    Scene(name: "review-range") { $0.type("gjvjjj ") },
    Scene(name: "review-search") { $0.type("g/session<enter>n") },
    Scene(name: "review-search-typed") { $0.type("g/rl_s") },
    Scene(name: "review-filter") { $0.type("gfis:ready session<enter>j") },
    Scene(name: "review-filter-typed") { $0.type("gfsession is:") },
    Scene(name: "decide-many") { $0.type("Aj") },
    Scene(name: "filter-menu") { $0.type("Fjj") },
    Scene(name: "help") { $0.type("?") },
    Scene(name: "help-details") { $0.type("<enter>?") },
    Scene(name: "help-search") { $0.type("?/undo") },
    Scene(name: "quit") { $0.type(" q") },
    Scene(name: "quit-lost") {
      $0.type(" ")
      $0.send(
        .keeping(
          .impossible(
            "The container lies in an archive, which is only read; --state-dir names a folder to keep them in.")))
      $0.type("q")
    },
    Scene(name: "kept") { $0.send(.kept(sampleKept)) },
    Scene(name: "edit-values") { $0.type("e<c-u>u-1<up>") },
    Scene(name: "preview-json-diff") { session in
      var plan = session.state.plan
      for row in plan.fields.indices where plan.fields[row].id == "traits" {
        plan.fields[row].current =
          #"{"email":"ada@old.example","plan":"pro\/annual","newsletter":true,"address":{"city":"Köln","country":"DE"}}"#
        plan.fields[row].status = .conflict
      }
      plan.target?.exists = true
      session.send(.replanned(plan))
      session.type(" n a")
    },
  ]

  static let sizes = [Size(columns: 120, rows: 40), Size(columns: 80, rows: 24), Size(columns: 60, rows: 16)]

  /// Those in which more stands on a very wide screen, and its size.
  static let wide = ["review", "review-focus-warnings", "review-conflict"]
  static let wideSize = Size(columns: 200, rows: 50)

  /// The screens of the pictures and of the film.
  static let pictureSize = Size(columns: 112, rows: 30)
}

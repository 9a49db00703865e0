import Carryover
import Review
import Terminal

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
      recoveryFailure: recoveryFailure, container: try sampleContainer(sample))
    reach(&session)
    return session
  }

  static let all: [Scene] = [
    Scene(name: "review") { $0.type("n") },
    Scene(name: "review-focus-warnings") { $0.type("n2jj") },
    Scene(name: "review-decided") { $0.type("n <end>e<c-u>420<enter>ks") },
    Scene(name: "details") { $0.type("n<enter>") },
    Scene(name: "details-traits") { $0.type("jj<enter>") },
    Scene(name: "details-moment") { $0.type("jjjjj<enter>") },
    Scene(name: "edit") { $0.type("<end>e<c-u>4.2") },
    Scene(name: "warnings") { $0.type("w") },
    Scene(name: "preview-undecided") { $0.type("a") },
    Scene(name: "preview") { $0.type("n a") },
    Scene(name: "result") {
      $0.type("n ay")
      $0.send(.applied(.success(acmeReport)))
    },
    Scene(name: "rollback") {
      $0.type("n ay")
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
      $0.type(" jnn ")
    },
    Scene(name: "rollback-undecided") {
      $0.openHistory()
      $0.type("j")
      $0.openRun()
      $0.type("R")
    },
    Scene(name: "rollback-decided") {
      $0.openHistory()
      $0.type("j")
      $0.openRun()
      $0.type("jj k nn  R")
    },
    Scene(name: "recovered", recovered: sampleRecovered) { _ in },
    Scene(name: "recovery-failed", recoveryFailure: sampleRecoveryFailure) { _ in },
    Scene(name: "failure") {
      $0.type("n ay")
      $0.send(
        .applied(
          .failure(
            ReviewFailure(
              message:
                "The container changed after the plan was made: AppData/Library/Preferences/com.acme.shop.plist. "
                + "Nothing was written.",
              remedy: "Go back: the plan has been made again. Look at what changed, then apply."))))
    },
    Scene(name: "review-conflict", sample: "HalfFilled") { $0.type("n") },
    Scene(name: "preview-conflict", sample: "HalfFilled") { $0.type("n n a") },
    Scene(name: "review-disagree", sample: "Disagree") { $0.type("n") },
    Scene(name: "details-disagree", sample: "Disagree") { $0.type("<enter>") },
    Scene(name: "preview-blocked", sample: "OptedOut") { $0.type("a") },
    Scene(name: "review-corrupt", sample: "CorruptTraits") { $0.type("jj") },
    Scene(name: "stores") { $0.type("jjb") },
    Scene(name: "stores-search") { $0.type("b/acme") },
    Scene(name: "stores-matches") { $0.type("b/acme<enter>n") },
    Scene(name: "stores-details") { $0.type("jjb ") },
    Scene(name: "stores-data") { $0.type("b/pushToken<enter> ") },
    Scene(name: "stores-help") { $0.type("b?") },
    Scene(name: "help") { $0.type("?") },
    Scene(name: "quit") { $0.type("n q") },
  ]

  static let sizes = [Size(columns: 120, rows: 40), Size(columns: 80, rows: 24), Size(columns: 60, rows: 16)]

  /// Those in which more stands on a very wide screen, and its size.
  static let wide = ["review", "review-focus-warnings", "review-conflict"]
  static let wideSize = Size(columns: 200, rows: 50)

  /// The screens of the pictures and of the film.
  static let pictureSize = Size(columns: 112, rows: 30)
}

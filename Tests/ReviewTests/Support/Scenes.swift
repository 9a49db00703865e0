import CarryoverReview

/// A screen that keys reach from the plan of a sample, and the words that it must contain.
struct Scene: Sendable {
  var name: String
  var sample = "AcmeShop"
  var recovered: [RecoveredRun] = []
  var recoveryFailure: ReviewFailure?
  var shows: String
  var selected: [String] = []
  /// Whether it is recorded; of screens that look alike one is, and the others only contain their words.
  var isRecorded = true
  var reach: @Sendable (inout Session) -> Void

  func session(_ size: Size, glyphs: Glyphs = .unicode) throws -> Session {
    var session = Session(
      try samplePlan(sample), columns: size.columns, rows: size.rows, glyphs: glyphs, recovered: recovered,
      recoveryFailure: recoveryFailure, container: try sampleContainer(sample), atFirstRow: false)
    reach(&session)
    return session
  }

  static let all: [Scene] = [
    Scene(name: "review", shows: "1 undecided", selected: ["user_id"]) { _ in },
    Scene(name: "person-review", sample: "Person", shows: "version 0 → 3", selected: ["person"]) { _ in },
    Scene(name: "person-details", sample: "Person", shows: "becomes alias") { $0.type("g<enter>") },
    Scene(name: "review-focus-findings", shows: "»2 user_id", selected: ["user_id"]) { $0.type("2jj") },
    Scene(name: "review-decided", shows: "1 accepted · 1 edited · 1 skipped", selected: ["rudder.app_version"]) {
      $0.type(" <end>e<c-u>420<enter>ks")
    },
    Scene(name: "details", shows: "is logged out") { $0.type("<enter>") },
    Scene(name: "details-traits", shows: "removed") { $0.type("gjj<enter>") },
    Scene(name: "members", sample: "HalfFilled", shows: "Members: ", selected: ["anonymousId"]) { $0.type("gjjm") },
    Scene(name: "details-moment", shows: "2025-11-20 12:02:03 UTC, read as seconds since 1970") {
      $0.type("gjjjjj<enter>")
    },
    Scene(name: "edit", shows: "Not an integer. Enter digits, such as 42.", selected: ["rudder.app_build"]) {
      $0.type("<end>e<c-u>4.2")
    },
    Scene(name: "findings", shows: "Accept the text, or edit it", selected: ["identity.user-id-not-string"]) {
      $0.type("w")
    },
    Scene(
      name: "findings-chosen", sample: "HalfFilled", shows: "Accept the repair, edit it",
      selected: ["target.wrong-type"], isRecorded: false
    ) { $0.type("wj") },
    Scene(name: "finding", shows: "identity.user-id-not-string") { $0.type("x") },
    Scene(name: "details-conflict", sample: "HalfFilled", shows: "u-2002") { $0.type("<enter> s") },
    Scene(name: "next-launch", shows: "Logged in as “42”.") { $0.type(" P") },
    Scene(name: "recipes", shows: "rudderstack-objc") { $0.type("r") },
    Scene(name: "log", shows: "wrote 7 keys") {
      $0.applySample()
      $0.type("L")
    },
    Scene(name: "preview-undecided", shows: "user_id", isRecorded: false) { $0.type("a") },
    Scene(name: "preview", shows: "Nothing is written yet. y applies this change") { $0.type(" a") },
    Scene(name: "result", shows: "Verified: the file contains") {
      $0.type(" ay")
      $0.send(.applied(.success(acmeReport)))
    },
    Scene(name: "rollback", shows: "Roll back run 20251120T121000Z-4?") {
      $0.type(" ay")
      $0.send(.applied(.success(acmeReport)))
      $0.type("R")
      $0.send(.rollbackPlan(cleanPlan))
    },
    Scene(name: "history", shows: "Run 20251120T121000Z-4: 7 fields", selected: ["partly rolled back"]) {
      $0.openHistory()
      $0.type("j")
    },
    Scene(name: "run", shows: "3 to roll back", selected: ["user_id"]) {
      $0.openHistory()
      $0.type("j")
      $0.openRun()
      $0.type("a jnn ")
    },
    Scene(name: "run-opened", shows: "No key is chosen yet", selected: ["anonymous_id"], isRecorded: false) {
      $0.openHistory()
      $0.type("j")
      $0.openRun(cleanPlan)
    },
    Scene(name: "rollback-undecided", shows: "2 conflicts are undecided") {
      $0.openHistory()
      $0.type("j")
      $0.openRun()
      $0.type("aR")
    },
    Scene(name: "rollback-decided", shows: "Roll back 4 of 7 keys", isRecorded: false) {
      $0.openHistory()
      $0.type("j")
      $0.openRun()
      $0.type("ajj k nn  R")
    },
    Scene(name: "recovered", recovered: sampleRecovered, shows: "2 interrupted runs were recovered") { _ in },
    Scene(name: "recovery-failed", recoveryFailure: sampleRecoveryFailure, shows: "Writing is disabled until it is.") {
      _ in
    },
    Scene(name: "failure", shows: "The container changed after the plan was made", isRecorded: false) {
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
    Scene(name: "review-conflict", sample: "HalfFilled", shows: "1 in conflict", selected: ["u-1001"]) { _ in },
    Scene(
      name: "preview-conflict", sample: "HalfFilled", shows: "- user_id             string   u-2002", isRecorded: false
    ) {
      $0.type(" n a")
    },
    Scene(
      name: "review-disagree", sample: "Disagree", shows: "The stores disagree on rl_anonymous_id",
      selected: ["anonymous_id"], isRecorded: false
    ) { _ in },
    Scene(
      name: "details-disagree", sample: "Disagree", shows: "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b", isRecorded: false
    ) {
      $0.type("g<enter>")
    },
    Scene(name: "preview-blocked", sample: "OptedOut", shows: "consent.opted-out") { $0.type("a") },
    Scene(
      name: "review-corrupt", sample: "CorruptTraits", shows: "rl_traits is not valid JSON.", selected: ["traits"],
      isRecorded: false
    ) {
      $0.type("gjj")
    },
    Scene(name: "stores", shows: "JSON object of 12 members in a string", selected: ["rl_traits"]) { $0.type("gjjb") },
    Scene(name: "stores-search", shows: "matches", selected: ["acme"]) { $0.type("gb/acme") },
    Scene(name: "stores-filter", shows: "6 stores", selected: ["com.acme.shop.plist"]) { $0.type("gbftraits<enter>") },
    Scene(name: "stores-matches", shows: "matches", selected: ["acme"], isRecorded: false) {
      $0.type("gb/acme<enter>n")
    },
    Scene(name: "stores-details", shows: "JSON in a string: object") { $0.type("gjjbi") },
    Scene(name: "stores-data", shows: "pushToken") { $0.type("b/pushToken<enter>i") },
    Scene(name: "stores-help", shows: "Help: Stores", selected: ["Edit the value"], isRecorded: false) {
      $0.type("gb?")
    },
    Scene(
      name: "review-range", shows: "4 accepted.", selected: ["user_id", "traits", "session_id", "is_manual_session"]
    ) { $0.type("gjvjjj ") },
    Scene(name: "review-search", shows: "/session  2 of 2", selected: ["is_manual_session"], isRecorded: false) {
      $0.type("g/session<enter>n")
    },
    Scene(name: "review-search-typed", shows: "/rl_s", selected: ["rl_s"]) { $0.type("g/rl_s") },
    Scene(name: "review-filter", shows: "(2 of 8): is:ready", selected: ["is_manual_session"], isRecorded: false) {
      $0.type("gfis:ready session<enter>j")
    },
    Scene(name: "review-filter-typed", shows: "(2 of 8)", selected: ["session_id"]) { $0.type("gfsession is:") },
    Scene(
      name: "decide-many", shows: "Not included: 1 undecided in the group.",
      selected: ["user_id", "accept all proposals in group identity"]
    ) { $0.type("Ajj") },
    Scene(name: "filter-menu", shows: "1  undecided, including conflicts", selected: ["in conflict"]) {
      $0.type("Fjj")
    },
    Scene(name: "help", shows: "Help: Review", selected: ["Accept the proposal"]) { $0.type("?") },
    Scene(name: "help-details", shows: "Help: Details", selected: ["Accept the proposal"], isRecorded: false) {
      $0.type("<enter>?")
    },
    Scene(name: "palette", shows: "Undo the last decision.", selected: ["Undo the last decision."]) {
      $0.type(":undo")
    },
    Scene(name: "quit", shows: "y quits, d quits and discards it, esc stays.") { $0.type(" q") },
    Scene(name: "quit-lost", shows: "The decisions cannot be saved here.", isRecorded: false) {
      $0.type(" ")
      $0.send(
        .keeping("The container is in a read-only archive. To save decisions, name a folder with --state-dir."))
      $0.type("q")
    },
    Scene(name: "kept", shows: "Still apply 4") { $0.send(.kept(sampleKept)) },
    Scene(name: "edit-values", shows: "Valid: the new SDK reads it as a string.", selected: ["user_id"]) {
      $0.type("e<c-u>u-1<up>")
    },
    Scene(name: "preview-json-diff", shows: #"- address.city    "Köln""#) { session in
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

  static let size = Size(columns: 80, rows: 24)

  /// A size for each layout of the review: stacked panes, details below, details beside, and more columns.
  static let layouts = [
    Size(columns: 60, rows: 16), Size(columns: 100, rows: 30), Size(columns: 120, rows: 40),
    Size(columns: 200, rows: 50),
  ]

  static let pictureSize = Size(columns: 112, rows: 30)
}

/// What the film in the README shows: a user was logged out, and is not any more; then one value is rolled back.
enum DemoStory {
  static let title = "Carryover: reviewing, applying and rolling back a migration in the terminal"

  static func film() throws -> [FilmFrame] {
    let story = try Rehearsal("AcmeShop", size: Scene.pictureSize)
    story.hold(3.2, "The app's legacy values, and what becomes of them")
    story.press("w", 3, "Every finding, in plain words")
    story.press("<esc>", 0.8, "Back to the fields")
    try story.press("n", until: "user_id", "To the next undecided field")
    story.hold(2.2, "The user id is a number: other migrators drop it")
    story.press(" ", 1.6, "Accept the proposal, the same id as text")
    try story.press("j", until: "rudder.app_build", "Down to the build number, which is not an integer")
    story.press("e", 1.2, "Type another value")
    story.press("<c-u>", 0.4, "Type another value")
    story.type("420", "It is checked while it is typed")
    story.hold(0.6, "It is checked while it is typed")
    story.press("<enter>", 1.4, "Nothing is left to decide")
    story.press("a", 3.4, "The exact change. Nothing is written yet")
    story.press("y", 3.2, "Written, backed up first, read back afterwards")
    try story.expect("Applied")
    story.press("<esc>", 1, "The target contains it now")
    story.press("H", 2, "Every run is recorded")
    story.press("<enter>", 2, "A run, key by key: none is chosen yet")
    try story.press("j", until: "traits", "To the one to roll back")
    story.press(" ", 1.4, "Choose it")
    story.press("R", 2.4, "What the rollback would change")
    story.press("y", 3.6, "That one value is rolled back; the rest is in effect")
    try story.expect("Rolled back")
    try story.expect("1 undecided · 7 unchanged")
    return story.film
  }
}

struct Picture: Sendable {
  var scene: String
  var theme = Theme.dark
  var title: String

  var file: String { theme.name == "dark" ? "\(scene).svg" : "\(scene)-\(theme.name).svg" }

  func svg() throws -> String {
    guard let scene = Scene.all.first(where: { $0.name == scene }) else { throw Rehearsal.Stuck(what: "no \(scene)") }
    let grid = render(try scene.session(Scene.pictureSize).state).grid
    return GridSVG.svg(of: grid, theme: theme, title: "Carryover: \(title)")
  }

  static let all = [
    Picture(scene: "review", title: "the review"),
    Picture(scene: "review", theme: .light, title: "the review, in the light theme"),
    Picture(scene: "review", theme: .mono, title: "the review, without colours"),
    Picture(scene: "details-traits", title: "everything about a field"),
    Picture(scene: "preview", title: "the exact change, before it is made"),
    Picture(scene: "stores", title: "every key and value of every store"),
    Picture(scene: "history", title: "every run and its state"),
    Picture(scene: "run", title: "a run, key by key, before its rollback"),
  ]
}

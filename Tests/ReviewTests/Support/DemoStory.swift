import CarryoverTerminal
import CarryoverTestSupport

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

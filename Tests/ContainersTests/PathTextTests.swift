import CarryoverSystem
import Testing

@testable import CarryoverContainers

@Suite("Paths as text")
struct PathTextTests {
  @Test(
    "The folder and the last component of a path, whatever letters are in it",
    arguments: [
      ("/", "/", "/"), ("/a", "/", "a"), ("a", ".", "a"), ("/a/b", "/a", "b"), ("a/b", "a", "b"),
      ("Documents/é and more", "Documents", "é and more"), ("/ünï/日本語", "/ünï", "日本語"), ("é", ".", "é"),
      // A mark that combines with the slash before it.
      ("a/\u{301}b", "a", "\u{301}b"), ("/a/\u{301}", "/a", "\u{301}"), ("e\u{301}/b", "e\u{301}", "b"),
    ])
  func parts(path: String, parent: String, name: String) {
    #expect(Array(PathText.parent(path).utf8) == Array(parent.utf8))
    #expect(Array(FilePath.name(of: path).utf8) == Array(name.utf8))
  }

  @Test("A slash is a slash before any character")
  func cleaned() {
    #expect(PathText.cleaned("/\u{301}a/./b//", workingDirectory: "/w") == "/\u{301}a/b")
    #expect(PathText.cleaned("a", workingDirectory: "/w/") == "/w/a")
    #expect(PathText.join("a/", "\u{301}b") == "a/\u{301}b")
  }
}

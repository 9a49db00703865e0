import Testing

@testable import Containers

@Suite("Paths as text")
struct PathTextTests {
  @Test("The folder and the name of a path, whatever its letters are")
  func parts() {
    for name in ["x.plist", "caf\u{E9}.plist", "cafe\u{301}.plist", "\u{301}x", "👩‍👩‍👧"] {
      #expect(Array(PathText.parent("/in/" + name).utf8) == Array("/in".utf8))
      #expect(Array(PathText.lastComponent("/in/" + name).utf8) == Array(name.utf8))
      #expect(PathText.parent("/" + name) == "/")
      #expect(PathText.parent(name) == ".")
      #expect(PathText.components("/in//" + name + "/").count == 2)
    }
    #expect(PathText.parent("a/..") == "a/../..")
    #expect(PathText.parent(".") == "..")
    #expect(PathText.parent("/") == "/")
    #expect(PathText.lastComponent("/") == "/")
  }

  @Test("A slash is a slash before any character")
  func cleaned() {
    #expect(PathText.cleaned("/\u{301}a/./b//", workingDirectory: "/w") == "/\u{301}a/b")
    #expect(PathText.cleaned("a", workingDirectory: "/w/") == "/w/a")
    #expect(PathText.join("a/", "\u{301}b") == "a/\u{301}b")
  }
}

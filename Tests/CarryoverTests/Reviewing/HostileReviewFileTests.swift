import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("Files of kept decisions that somebody else has made")
struct HostileReviewFileTests {
  private static let later = #"{"schema":"carryover.review/2","tool":"9","number":1,"reviews":[]}"#

  @Test(
    "what cannot be read is said and stays as it is, until there is something to keep",
    arguments: [
      "", "{", "[]", "null", #"{"schema":"carryover.plan/1"}"#, #"{"schema":"carryover.review/1"}"#,
      #"{"schema":"carryover.review/1","tool":"0","number":-1,"reviews":[]}"#,
      #"{"schema":"carryover.review/1","tool":"0","number":9223372036854775807,"reviews":[]}"#,
      #"{"schema":"carryover.review/1","tool":"0","number":1,"reviews":[{"recipe":7}]}"#,
      #"{"schema":"carryover.review/1","tool":"0","number":1,"reviews":[{"recipe":{"id":"r","version":1},"target":null,"#
        + #""milliseconds":"1","decisions":[{"field":"a","decision":"edit","value":{},"basis":"#
        + #""0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}]}]}"#,
      #"{"schema":"carryover.review/1","tool":"0","number":1,"reviews":[{"recipe":{"id":"r","version":1},"target":null,"#
        + #""milliseconds":"1","decisions":[{"field":"a","decision":"skip","basis":"../../etc"}]}]}"#,
      "\u{1B}[2J\u{202E}",
    ])
  func damaged(text: String) throws {
    let (fileSystem, kept) = try KeptBox.inMemory()
    let path = kept.file().path
    fileSystem.put(path, Array(text.utf8), mode: 0o600)
    let before = fileSystem.tree("/")
    let (review, _, problem) = kept.file().read(for: kept.plan)
    #expect(review == nil)
    guard case .damaged(path, _)? = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }
    let sentence = try #require(problem?.description)
    #expect(sentence.contains("review.json") && sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    try kept.file().write(kept.review([:]), durably: true)
    #expect(fileSystem.tree("/") == before)
    try kept.file().write(kept.review(), durably: true)
    #expect(kept.file().read(for: kept.plan).review == kept.review())
    #expect(kept.file().read(for: kept.plan).problem == nil)
  }

  @Test("a file beyond the limit is not read into memory, and is replaced like any damaged one")
  func huge() throws {
    let (fileSystem, kept) = try KeptBox.inMemory()
    fileSystem.put(kept.file().path, Array(repeating: 0x20, count: ReviewDocument.largest + 1))
    let problem = kept.file().read(for: kept.plan).problem
    #expect(problem == .damaged(path: kept.file().path, .tooLong(limit: ReviewDocument.largest)))
    try kept.file().write(kept.review(), durably: false)
    #expect(kept.file().read(for: kept.plan).review == kept.review())
  }

  @Test("decisions beyond the limit are refused, and what was kept stays")
  func tooMany() throws {
    let (_, kept) = try KeptBox.inMemory()
    try kept.file().write(kept.review(), durably: true)
    let text = String(repeating: "x", count: ReviewDocument.largest)
    #expect(throws: SavedReviewError.tooLong(limit: ReviewDocument.largest)) {
      try kept.file().write(kept.review(["anonymous_id": .edit(.string(text))]), durably: true)
    }
    #expect(kept.file().read(for: kept.plan).review == kept.review())
  }

  @Test("a later version's file, a link and a folder in its place are never replaced", arguments: ["", ".draft"])
  func inTheWay(ending: String) throws {
    for kind in [FileKind.regular, .symbolicLink, .directory] {
      let (fileSystem, kept) = try KeptBox.inMemory()
      let path = kept.file().path + ending
      switch kind {
      case .symbolicLink: fileSystem.putLink(path)
      case .directory: fileSystem.putFolder(path)
      default: fileSystem.put(path, Array(Self.later.utf8))
      }
      let before = fileSystem.tree("/")
      #expect(kept.file().read(for: kept.plan).review == nil)
      #expect(kept.file().read(for: kept.plan).problem != nil)
      for durably in [true, false] {
        #expect(throws: SavedReviewError.self) { try kept.file().write(kept.review(), durably: durably) }
        #expect(throws: SavedReviewError.self) { try kept.file().write(kept.review([:]), durably: durably) }
      }
      #expect(fileSystem.tree("/") == before, "\(kind)")
    }
  }

  @Test("a link or a file in the place of the state folder is not followed")
  func folder() throws {
    for isLink in [true, false] {
      let (fileSystem, kept) = try KeptBox.inMemory()
      if isLink { fileSystem.putLink(kept.state) } else { fileSystem.put(kept.state, [1]) }
      let expected = SavedReviewError.occupied(path: kept.state, isLink ? .symbolicLink : .regular)
      #expect(kept.file().read(for: kept.plan).problem == expected)
      #expect(throws: expected) { try kept.file().write(kept.review(), durably: true) }
    }
  }

  @Test("nothing is written into what is only read, or into a live container that was not allowed; elsewhere it is")
  func places() throws {
    let (fileSystem, kept) = try KeptBox.inMemory()
    fileSystem.putFolder("/state")
    var wrapped = kept.container
    wrapped.wrapper = ContainerWrapper(.archive, path: "/a.zip")
    var live = kept.container
    live.liveness = .home("/Users/me")
    let before = fileSystem.tree("/")
    #expect(throws: SavedReviewError.wrapped(ContainerWrapper(.archive, path: "/a.zip"))) {
      try kept.file(in: wrapped).write(kept.review(), durably: true)
    }
    #expect(throws: SavedReviewError.live) { try kept.file(in: live).write(kept.review(), durably: true) }
    #expect(fileSystem.tree("/") == before)
    for var container in [wrapped, live] {
      container.stateDirectory = "/state"
      try kept.file(in: container).write(kept.review(), durably: true)
      #expect(kept.file(in: container).read(for: kept.plan).review == kept.review())
    }
    try kept.file(in: live).write(kept.review(), durably: true, allowing: [.liveRunningStore])
    #expect(kept.file(in: live).read(for: kept.plan).review == kept.review())
  }
}

@Suite("Keeping decisions on a disk that fails") struct ReviewFileFaultTests {
  private let first: Decisions = ["session_id": .skip]
  private let second: Decisions = ["session_id": .migrate, "anonymous_id": .skip]

  private func start() throws -> (MemoryFileSystem, KeptBox) {
    let (fileSystem, kept) = try KeptBox.inMemory()
    try kept.file().write(kept.review(first), durably: true)
    return (fileSystem, kept)
  }

  private func read(_ fileSystem: MemoryFileSystem, _ kept: KeptBox) -> SavedReview? {
    KeptBox(fileSystem, SampleBox.inMemory(fileSystem)).file(writer: 8).read(for: kept.plan).review
  }

  @Test(arguments: [true, false])
  func `after an error, or a kill, at any operation there are the old decisions or the new ones`(durably: Bool) throws {
    var number = 0
    while true {
      number += 1
      var isOver = false
      for fault: FaultPlan.Fault in [
        .error(EIO), .error(ENOSPC), .crashBefore, .crashAfter,
        .partialWrite(count: 3, ENOSPC),
      ] {
        let (fileSystem, kept) = try start()
        fileSystem.arm(FaultPlan(faults: [number: fault]))
        let isDone = (try? kept.file().write(kept.review(second), durably: durably)) != nil
        isOver = fileSystem.counted < number
        fileSystem.restart()
        let found = read(fileSystem, kept)
        #expect(found == kept.review(second) || (!isDone && found == kept.review(first)), "\(fault) at \(number)")
        // The next one is not hindered by what is left.
        try kept.file(writer: 9).write(kept.review(first), durably: true)
        #expect(read(fileSystem, kept) == kept.review(first))
        #expect(try fileSystem.list(kept.state) == ["review.json"], "\(fault) at \(number)")
      }
      if isOver { break }
    }
    #expect(number > 5)
  }

  @Test func `a loss of power at any moment costs at most what was decided in passing`() throws {
    let (fileSystem, kept) = try start()
    fileSystem.arm(FaultPlan(keepsDisks: true))
    try kept.file().write(kept.review(second), durably: false)
    try kept.file().write(kept.review(KeptBox.decisions), durably: false)
    let passing = [first, second, KeptBox.decisions].map { kept.review($0) }
    var images = 0
    for (operation, disk) in fileSystem.disks {
      for image in disk.everyImage(limit: 64) {
        images += 1
        let found = read(MemoryFileSystem(copying: fileSystem, disk: image), kept)
        #expect(found.map(passing.contains) == true, "in passing, after operation \(operation)")
      }
    }
    fileSystem.arm(FaultPlan(keepsDisks: true))
    try kept.file().write(kept.review(second), durably: true)
    for (operation, disk) in fileSystem.disks {
      for image in disk.everyImage(limit: 64) {
        let found = read(MemoryFileSystem(copying: fileSystem, disk: image), kept)
        #expect(found.map(passing.contains) == true, "for certain, after operation \(operation)")
      }
    }
    for image in fileSystem.disk.everyImage(limit: 64) {
      #expect(read(MemoryFileSystem(copying: fileSystem, disk: image), kept) == kept.review(second))
      images += 1
    }
    #expect(images > 20)
  }

  @Test func `two reviews at once: the last to write wins, and neither breaks the other's file`() throws {
    let (fileSystem, kept) = try start()
    let (one, two) = (kept.file(writer: 1), kept.file(writer: 2))
    for round in 0..<20 {
      let decisions = round.isMultiple(of: 2) ? first : second
      try (round % 3 == 0 ? one : two).write(kept.review(decisions), durably: round % 5 == 0)
      #expect(one.read(for: kept.plan).review == kept.review(decisions))
    }
    // One of them empties the folder between the other's look and its writing.
    for number in 1..<12 {
      let (fileSystem, kept) = try start()
      let path = kept.file().path
      fileSystem.arm(
        FaultPlan(intrusions: [
          number: { state in
            for name in [path, path + ".2.tmp"] {
              let (folder, file) = (FilePath.folder(of: name), FilePath.name(of: name))
              if let node = state.lookUp(folder), state.lookUp(name) != nil {
                state.disk.change(node, [file: Int?.none])
              }
            }
          }
        ]))
      try kept.file(writer: 2).write(kept.review(second), durably: false)
      #expect(read(fileSystem, kept) == kept.review(second), "before operation \(number)")
    }
    _ = fileSystem
  }
}

@Suite("Keeping decisions while somebody swaps the state folder for a link") struct SwappedReviewFolderTests {
  @Test(arguments: [true, false])
  func `Swapped before any operation: nothing is written behind the link`(durably: Bool) throws {
    var number = 0
    while try isSwapped(before: number, durably: durably) { number += 1 }
    #expect(number > 8)
  }

  /// Replaces kept decisions, and looks at what stands behind the link.
  /// - Returns: false where there were not so many operations.
  private func isSwapped(before number: Int, durably: Bool) throws -> Bool {
    let folder = TemporaryFolder()
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

@testable import CarryoverReview

@Suite("The states of the containers to choose from") struct ContainerStateTests {
  private static func picking(
    _ script: String = "", columns: Int = 120, rows: Int = 40, glyphs: Glyphs = .unicode
  ) -> Picking {
    var picking = Picking(sampleFleet, columns: columns, rows: rows, glyphs: glyphs, isPlanning: true)
    picking.state.learn(sampleStates)
    picking.type(script)
    return picking
  }

  private static func listed(_ picking: Picking) -> String {
    picking.state.list.rows.map { String(sampleFleet[$0].path.dropFirst("exports/".count).prefix(1)) }.joined()
  }

  @Test(arguments: [80, 120])
  func `a state is the counts, the gravest first, or the reason that there is none`(columns: Int) {
    let lines = Self.picking(columns: columns, rows: 24).lines
    for (name, words) in [
      ("Ada", "· 3 ready"), ("Bob", "✗ 1 error · 1 undecided · 1 ready"), ("Dora", "= applied · 1 not migrated"),
      ("Emil", "nothing to migrate"), ("Finn", "✗ cannot be read: damaged"), ("Hanna", "not read yet"),
    ] {
      #expect(lines.contains { $0.contains(name) && $0.contains(words) }, "\(name) \(lines)")
    }
    #expect(lines[0].contains("8 containers · 1 not read yet"))
    #expect(!lines.contains { $0.contains("\u{1B}") })
  }

  @Test func `verdict and state are columns, whole at 120, and long names are cut in their middle at 60`() {
    let names = ["anna", "ben"].map { "exports/2026-11-29 support case 4711 \($0) iPhone 15.xcappdata" }
    let fleet = names.map { ContainerCandidate(path: $0, kind: .xcappdata, bundleID: "com.acme.shop", name: $0) }
    for (columns, state) in [(120, "2 errors · 1 in conflict · 1 undecided · 1 ready"), (60, "2 errors …")] {
      var picking = Picking(fleet, columns: columns, rows: 16, isPlanning: true)
      picking.state.learn([
        0: planned(
          [.ready, .conflict, .needsDecision], asking: .userIDNotString, user: user([.loggedOut: .undecided], .past))
      ])
      let lines = picking.lines
      #expect(lines[2].contains("✗ 1 of 1 user was logged out"), "\(lines)")
      #expect(lines[3].contains("Name") && lines[3].contains("Verdict") && lines[3].contains("State"), "\(lines)")
      #expect(lines[4].contains("was likely logged out") && lines[4].contains(state), "\(lines)")
      #expect(lines[4].contains("2026-1") && lines[4].contains("…") && lines[4].contains("15 "), "\(lines)")
    }
  }

  @Test func `the list says in a line what an audit says of the listed users`() {
    var picking = Self.picking()
    func line() -> String { picking.lines[2] }
    // The first of the three users of the SDK is unharmed, and the third one's update is past.
    let answer = "✗ 1 of 3 users would be logged out by the update; with Carryover, none (1 needs a decision)."
    #expect(line().contains(answer), "\(line())")
    picking.type("/Cleo<enter>")
    let new = "▲ 1 of 1 user was counted as new; with Carryover, none (1 needs a decision)."
    #expect(line().contains(new), "\(line())")
    picking.type("<esc>V", then: \.state.screen, is: .containersVerdicts)
    #expect(picking.text.contains("No SDK that Carryover knows left data in 3 containers."), "\(picking.text)")
    #expect(picking.text.contains("2 containers have no plan."), "\(picking.text)")
    picking.type("<esc>/Ada<enter>")
    #expect(line().contains("i The update would lose no value of 1 user."), "\(line())")
    picking.type("<esc>w <esc>")
    #expect(picking.state.policy != DecisionPolicy())
    let settled = "1 of 3 users would be logged out by the update; with Carryover, none. … V shows 1 more"
    #expect(line().contains(settled), "\(line())")
    picking.type("ws<esc>")
    #expect(line().contains("1 of 3 users would be logged out by the update. … V shows 1 more"), "\(line())")
    #expect(user([.trackedAgain: .undecided, .loggedOut: .lost]).words == "would be tracked again")
    #expect(user([.otherUser: .lost], .past, .certain).words == "user id differs from the legacy one")
    #expect(user([.values: .lost], .inPlace).words == "values cannot be migrated")
    #expect(user([:], .unknown).words == "cannot tell" && user([:], .past, .certain).words == "nothing lost")
    let group = AffectedUser.Group(recipe: "rudderstack-objc", time: .ahead, migrator: "RudderStack's migrator")
    #expect(AffectedUser(group, losing: [:]).words == "nothing lost with the migrator")
    #expect(user().words == "would lose nothing")
  }

  @Test(arguments: [(60, 16, 1), (80, 24, 2), (120, 40, 2)])
  func `the gravest sentence of several SDKs is wrapped, and V shows all of them`(columns: Int, rows: Int, lines: Int) {
    var picking = Picking(sampleFleet, columns: columns, rows: rows, isPlanning: true)
    let mixpanel = AffectedUser(
      .init(recipe: "mixpanel-objc", time: .ahead, migrator: nil), losing: [.trackedAgain: .undecided])
    picking.state.learn([
      0: .planned(
        PlannedContainer([], findings: [], severities: [:], users: [user([.loggedOut: .undecided]), mixpanel])),
      1: planned([.ready], user: user([.loggedOut: .lost])),
    ])
    let answer = picking.lines[2..<(2 + lines)].joined(separator: " ")
    #expect(answer.contains("Mixpanel") && answer.contains("V shows 1 more"), "\(picking.lines)")
    #expect(picking.lines[2 + lines].contains("Verdict"), "\(picking.lines)")
    let isWhole = answer.split { " │".contains($0) }.joined(separator: " ").contains("none (1 needs a decision). … V")
    #expect(isWhole == (columns > 80), "\(answer)")
    picking.type("V", then: \.state.screen, is: .containersVerdicts)
    let page = picking.text.split { " │\n".contains($0) }.joined(separator: " ")
    #expect(page.contains("would be tracked again by the update; with Carryover, none (1 needs a decision)."))
    #expect(page.contains("2 of 2 users would be logged out by the update; with Carryover, 1 (1 needs a decision)."))
  }

  @Test func `at 80 columns the numbers at the ends of names tell downloads apart`() {
    let names = ["001", "002"].map { "exports/AcmeShop-\($0).xcappdata" }
    let fleet = names.map { ContainerCandidate(path: $0, kind: .xcappdata, bundleID: "com.acme.shop", name: $0) }
    var picking = Picking(fleet, columns: 80, rows: 24, isPlanning: true)
    picking.state.learn([
      0: planned([.ready, .conflict, .needsDecision], asking: .userIDNotString, user: user([.loggedOut: .lost]))
    ])
    for (name, row) in [("001", 4), ("002", 5)] { #expect(picking.lines[row].contains(name), "\(picking.lines)") }
  }

  @Test func `an app that has only a name shows it at every width`() {
    let apps = ["com.acme.shop", "com.acme.wallet"].map {
      ContainerCandidate(path: $0, kind: .folder, bundleID: $0, name: $0, files: 3)
    }
    for columns in [60, 80, 120, 200] {
      var picking = Picking(apps, columns: columns, rows: 16, isPlanning: true)
      picking.state.learn([1: planned([.ready], user: user([.values: .lost]))])
      #expect(picking.lines[4].contains("com.acme.shop") && picking.lines[5].contains("values would be lost"))
    }
  }

  @Test func `an archive is listed by its form; one with several containers says so, and is no error`() {
    var picking = Picking(
      [ContainerCandidate(path: "a\u{1B}[2J.zip", kind: nil, bundleID: nil, name: "a\u{1B}[2J.zip")] + sampleFleet,
      isPlanning: true)
    picking.state.learn([0: .several])
    let line = picking.lines[3]
    #expect(line.contains("unknown") && line.contains(#"a\u{1B}[2J.zip"#) && line.contains("several containers"))
    #expect(line.contains("archive") && !line.contains("✗"))
    picking.type("<enter>")
    #expect(picking.effects == [.choose(picking.state.candidates[0])])
  }

  @Test func `a container with an interrupted run says so first, and the preview recovers it`() throws {
    var picking = Self.picking()
    let last = sampleFleet.count - 1
    picking.state.learn([last: .interrupted])
    let line = try #require(picking.lines.first { $0.contains("Hanna") })
    #expect(line.contains("✗ interrupted") && !line.contains("applied"), "\(line)")
    picking.type("a")
    guard case .preview(.apply, let listed)? = picking.effects.last else { return #expect(Bool(false), "no preview") }
    #expect(listed.count == sampleFleet.count)
    #expect(listed.first { $0.candidate == sampleFleet[last] }.map { $0.obstacle == nil } == true)
  }

  @Test func `R says that archives have no runs if nothing else is listed`() {
    let archive = ContainerCandidate(path: "a.zip", kind: nil, bundleID: nil, name: "a.zip")
    var picking = Picking([archive] + sampleFleet, isPlanning: true)
    picking.state.learn([0: .several])
    picking.state.learn(Dictionary(uniqueKeysWithValues: sampleFleet.indices.map { ($0 + 1, planned([.ready])) }))
    picking.type("/a.zip<enter>R", then: \.effects, is: [.bell])
    #expect(picking.state.message == "Archives are read-only, so they have no runs.")
    picking.type("<esc>R")
    guard case .preview(.rollback, _)? = picking.effects.last else { return #expect(Bool(false), "no preview") }
  }

  @Test func `a previews all that the filter leaves, y writes them, and nothing else does`() throws {
    var picking = Self.picking("a")
    #expect(picking.effects == [.bell] && picking.text.contains("1 container not read yet."))
    picking.state.learn([7: planned([.ready])])
    picking.type("/in conflict<enter>a")
    guard case .preview(.apply, let one)? = picking.effects.last else { return #expect(Bool(false), "no preview") }
    #expect(one.map(\.candidate) == [sampleFleet[2]] && picking.text.contains("Planning…"))
    picking.type("q<enter>")
    #expect(picking.effects.count == 2, "keys wait for the preview")
    picking.state.show(ListedBatch([.paragraph("8 containers: 3 to write.")]), on: .containersPreview)
    picking.type("y", shows: "8 containers: 3 to write.", "There is nothing to write.")
    #expect(picking.effects.last == .bell)
    picking.type("<esc><esc>a")
    guard case .preview(.apply, let all)? = picking.effects.last else { return #expect(Bool(false), "no preview") }
    #expect(all.map(\.candidate) == sampleFleet)
    #expect(all.map(\.obstacle) == [nil, nil, nil, nil, nil, "cannot be read: damaged", nil, nil])
    picking.state.show(
      ListedBatch([.paragraph("8 containers: 3 to write.")], count: 3, fields: 12), on: .containersPreview)
    picking.type("<enter>", shows: "Nothing is written yet. y writes 12 fields in 3 containers")
    #expect(!picking.effects.contains(.write) && PickerState.table.asking.contains(picking.state.screen))
    picking.type("y", shows: "Applying…")
    #expect(picking.effects.last == .write)
    picking.state.show(ListedBatch([.paragraph("8 containers: 3 applied.")]), on: .containersResult)
    picking.type("y", shows: "8 containers: 3 applied.")
    #expect(picking.effects.filter { $0 == .write }.count == 1)
    picking.type("<esc>")
    #expect(picking.state.screen == .containers)
  }

  @Test func `a preview that recovered an interrupted run does not say that nothing is written`() {
    var picking = Self.picking("")
    picking.state.show(ListedBatch([], count: 3, fields: 12, recovered: 1), on: .containersPreview)
    picking.type("<enter>", shows: "An interrupted run was recovered in 1 container.", "Nothing else is written yet.")
    #expect(!picking.text.contains("Nothing is written yet."))
  }

  @Test func `a write key that is set in the list is read for all containers, and stays when one was opened`() {
    var picking = Self.picking("W2xAcme.<enter>")
    #expect(picking.text.contains("not a valid write key") && picking.effects == [.bell])
    picking.type("<bs><enter>")
    #expect(picking.effects == [.bell, .replan] && picking.state.choices.writeKey == "2xAcme")
    #expect(picking.text.contains("8 not read yet") && picking.text.contains("write key set"))
    #expect(picking.text.contains("Write key 2xAcme set for the containers opened from here."))
    picking.state.learn(sampleStates)
    picking.type("W<enter><enter>")
    #expect(picking.effects == [.bell, .replan, .choose(sampleFleet[0])], "the same key changes nothing")
    picking.state.comeBack(size: Size(columns: 120, rows: 40))
    #expect(picking.state.choices.writeKey == "2xAcme" && picking.text.contains("write key set"))
    picking.type("W<c-u><enter>")
    #expect(picking.state.choices.writeKey == nil && picking.effects.last == .replan)
    var masked = PickerState(
      sampleFleet, place: "/x", isPlanning: true, choices: ListChoices(writeKey: "2xAcme"),
      size: Size(columns: 80, rows: 24), options: ReviewOptions(redaction: Redaction(recipes: [])))
    _ = reduce(&masked, .key(.character("W")))
    #expect(masked.stack.typing?.text == "")
  }

  @Test func `where containers are only browsed, none is written and no key is asked for`() {
    for key in ["a", "W", "R", "H"] {
      var picking = Picking(sampleFleet)
      picking.type(key, shows: "Containers are not migrated here.")
      #expect(picking.effects == [.bell] && picking.state.screen == .containers)
    }
  }

  @Test func `what finds no room is left out as a whole, and that is shown`() {
    let state = planned([.ready, .conflict, .needsDecision], asking: .userIDNotString)
    #expect(state.words(columns: 80) == "2 errors · 1 in conflict · 1 undecided · 1 ready")
    #expect(state.words(columns: 30) == "2 errors · 1 in conflict …")
    for columns in 10...60 { #expect(state.words(columns: columns).count <= columns, "\(columns)") }
  }

  @Test func `a container that a finding blocks says so first, and is listed with those that wait`() {
    let state = planned([.ready, .absent], findings: [.consentOptedOut], isBlocked: true)
    #expect(state.words(columns: 80).hasPrefix("blocked · "))
    #expect(state.rank == 0 && planned([.ready]).rank > 0)
    guard case .planned(let asking) = planned([.needsDecision], isBlocked: true) else { return }
    let consent = PlannedContainer.Field(.needsDecision, .consent, findings: [.sourceDisagree], hasProposal: true)
    let migrated = PlannedContainer(asking.fields + [consent], findings: [], severities: [:], isBlocked: true)
    #expect(asking.isBlocked && !migrated.isBlocked)
  }

  @Test func `without states there is neither a column nor an order by state, and no findings to list`() {
    var picking = Picking(sampleFleet)
    #expect(!picking.lines[2].contains("State") && !picking.text.contains("not read yet"))
    picking.type("ss", then: \.state.order, is: .given)
    picking.type("w", shows: "Containers are not planned here")
  }

  @Test func `the filter knows the words of the fields' filter, the codes and the words of the states`() {
    #expect(Self.listed(Self.picking("/is:undecided<enter>")) == "BC")
    #expect(Self.listed(Self.picking("/is:conflict<enter>")) == "C")
    #expect(Self.listed(Self.picking("/has:error is:ready<enter>")) == "BC")
    #expect(Self.listed(Self.picking("/has:finding<enter>")) == "BCDG")
    #expect(Self.listed(Self.picking("/group:traits<enter>")) == "")
    #expect(Self.listed(Self.picking("/user-id-not-string<enter>")) == "BC")
    #expect(Self.listed(Self.picking("/cannot read<enter>")) == "F")
    #expect(Self.listed(Self.picking("/APPLIED dora<enter>")) == "D")
    #expect(Self.listed(Self.picking("/is:und<tab><enter>")) == "BC")
    #expect(Self.listed(Self.picking("/is:app<tab><enter>")) == "D")
    #expect(Self.listed(Self.picking("/is:applied is:not-migrated<enter>")) == "D")
  }

  @Test func `a word that looks like one of the filter's and is none is named, and the line stays open`() {
    let picking = Self.picking("/is:broken<enter>")
    #expect(picking.state.message?.contains("“is:broken” is not a filter word.") == true)
    #expect(picking.state.screen == .containersFilter)
  }

  @Test func `the order by state begins with what waits, the one by findings with the gravest, and the cursor stays`() {
    var picking = Self.picking("jjj")
    let selected = picking.state.selected
    picking.type("s")
    #expect(Self.listed(picking) == "ABCDEFGH" && picking.lines[1].contains("by name"))
    picking.type("s")
    #expect(Self.listed(picking) == "BCFAGDEH" && picking.lines[1].contains("by state"))
    picking.type("s")
    #expect(Self.listed(picking).hasPrefix("CB") && picking.lines[1].contains("by findings"))
    #expect(picking.state.selected == selected)
    picking.type("s")
    #expect(Self.listed(picking) == "ABCDEFGH" && !picking.lines[1].contains("by "))
  }

  @Test func `an archive has the bundle id that its plan shows, also for the filter`() {
    let archive = ContainerCandidate(path: "a.zip", kind: nil, bundleID: nil, name: "a.zip")
    var picking = Picking([archive] + sampleFleet, isPlanning: true)
    #expect(picking.lines.contains { $0.contains("unknown") && $0.contains("a.zip") }, "\(picking.text)")
    picking.state.learn([
      0: .planned(PlannedContainer([], findings: [], severities: [:], bundleID: "org.example.other"))
    ])
    #expect(picking.lines.contains { $0.contains("org.example.other") && $0.contains("a.zip") }, "\(picking.text)")
    #expect(!picking.text.contains("unknown"), "\(picking.text)")
    picking.type("/example.OTHER<enter>", then: \.state.list.rows, is: [0])
  }

  @Test func `the order by name is by name, also of archives, whose bundle id is unknown`() {
    let fleet = ["Zoe.zip", "Cy.xcappdata", "ann.zip"].map { name in
      let isArchive = name.hasSuffix(".zip")
      return ContainerCandidate(
        path: "x/\(name)", kind: isArchive ? nil : .xcappdata, bundleID: isArchive ? nil : "b.shop", name: name)
    }
    #expect(Picking(fleet, typing: "s").state.list.rows == [2, 1, 0])
  }

  @Test func `news never moves the row with the cursor, so that enter opens what was seen`() throws {
    let many = (0..<1_000).map { ContainerCandidate(path: "c\($0)", kind: .folder, bundleID: nil, name: "c\($0)") }
    var picking = Picking(many, columns: 80, rows: 24, isPlanning: true, typing: "ss500Gkkk")
    let selected = try #require(picking.state.selected)
    for number in stride(from: 0, to: 1_000, by: 7) {
      let before = picking.lines.firstIndex { $0.contains("▸") }
      picking.state.learn([number: number % 2 == 0 ? planned([.needsDecision]) : planned([.unchanged])])
      #expect(picking.lines.firstIndex { $0.contains("▸") } == before || picking.state.list.top == 0, "\(number)")
      #expect(picking.state.selected == selected)
    }
    picking.type("<enter>", then: \.effects, is: [.choose(selected)])
  }

  @Test func `a container that the filter no longer lists leaves the cursor to the next one`() {
    var picking = Self.picking("/is:undecided<enter>")
    picking.state.learn([1: planned([.unchanged])])
    #expect(picking.state.selected == sampleFleet[2])
    picking.state.learn([2: planned([.unchanged])])
    #expect(picking.state.selected == nil && picking.text.contains("No container contains every word typed."))
    picking.state.learn([4: planned([.needsDecision])])
    picking.type("k")
    #expect(Self.listed(picking) == "E")
  }

  @Test func `a decision by finding holds for every container that only asks so, is shown, and is taken back`() {
    var picking = Self.picking("w ")
    #expect(picking.text.contains("✓ accepted") && picking.text.contains("2 containers, asks about 2 fields"))
    #expect(picking.state.policy == DecisionPolicy([.userIDNotString: .accept]))
    picking.type("<esc>")
    #expect(picking.lines[0].contains("2 fields decided"))
    #expect(picking.lines.contains { $0.contains("Bob") && $0.contains("1 accepted") && !$0.contains("undecided") })
    #expect(picking.lines.contains { $0.contains("Cleo") && $0.contains("1 in conflict · 1 accepted") })
    #expect(picking.effects.isEmpty)
    picking.type("ws")
    #expect(picking.state.policy.choices[.userIDNotString] == .skip)
    picking.type("s<esc>")
    #expect(picking.state.policy == DecisionPolicy() && picking.text == Self.picking().text)
  }

  @Test(
    "a finding about the target's own value is kept or replaced by its own name alone; one that informs, not at all")
  func targets() throws {
    var picking = Self.picking("w")
    let codes = picking.state.findings.rows.map(\.code)
    #expect(Set(codes.prefix(2)) == [.userIDNotString, .targetConflict])
    let place = try #require(codes.firstIndex(of: .targetConflict))
    picking.type(String(repeating: "j", count: place) + "s")
    #expect(picking.state.policy == DecisionPolicy() && picking.effects == [.bell])
    picking.type("t", then: \.state.policy.choices, is: [.targetConflict: .keep])
    picking.type(" ", then: \.state.policy.choices, is: [.targetConflict: .keep])
    picking.type("y", then: \.state.policy.choices, is: [.targetConflict: .replace])
    picking.type("G ", shows: "This finding asks for no decision.")
    #expect(picking.state.policy.choices == [.targetConflict: .replace])
  }

  @Test func `replacing is called so, is asked first with what it changes, and only y decides it`() {
    let fresh = PlannedContainer.Field(
      .conflict, .identity, findings: [.targetConflict, .targetFreshIdentity], hasProposal: true)
    let traits = PlannedContainer.Field(.conflict, .traits, findings: [.targetConflict], hasProposal: true)
    let other = PlannedContainer.Field(.conflict, .identity, findings: [.targetConflict], hasProposal: true)
    func container(_ fields: [PlannedContainer.Field]) -> ContainerState {
      .planned(
        PlannedContainer(
          fields,
          findings: [FindingCode.targetConflict, .targetFreshIdentity].filter { code in
            code == .targetConflict || fields.contains(fresh)
          }, severities: [.warning: 1]))
    }
    var picking = Picking(sampleFleet, columns: 120, rows: 40, isPlanning: true)
    picking.state.learn([0: container([fresh, traits]), 1: container([other, traits]), 2: container([fresh])])
    picking.type("w")
    while picking.state.findings.selected?.code != .targetConflict { picking.type("j") }
    #expect(picking.text.contains("3 containers, asks about 3 fields"), "\(picking.text)")
    #expect(picking.lines.last?.contains("space replace") == true && picking.lines.last?.contains("t keep") == true)
    picking.type(" ", shows: "Replace 3 fields in 2 containers?", "In 1 container these are ids of the user")
    #expect(picking.state.policy == DecisionPolicy() && PickerState.table.asking.contains(picking.state.screen))
    picking.type("<enter>s t<esc>", then: \.state.policy, is: DecisionPolicy())
    picking.type(" y", shows: "✓ target's value replaced", "Target's value replaced: 3 fields in 2 containers.")
    picking.type("<esc>")
    #expect(picking.lines[0].contains("3 fields decided"), "\(picking.lines[0])")
    #expect(picking.lines.contains { $0.contains("Cleo") && $0.contains("1 in conflict") }, "the fresh identity waits")
    picking.type("w")
    while picking.state.findings.selected?.code != .targetFreshIdentity { picking.type("j") }
    picking.type(" ", shows: "Replace 2 fields in 2 containers?")
    #expect(!picking.text.contains("ids of the user"), "\(picking.text)")
    picking.type("y<esc>")
    #expect(picking.lines[0].contains("5 fields decided"), "\(picking.lines[0])")
  }

  @Test func `a field that two findings ask about is decided by both, and until then the first one says so`() {
    var picking = Picking(sampleFleet, columns: 120, rows: 40, isPlanning: true)
    let field = PlannedContainer.Field(
      .conflict, .identity, findings: [.targetConflict, .userIDNotString], hasProposal: true)
    picking.state.learn([
      0: .planned(PlannedContainer([field], findings: [.targetConflict, .userIDNotString], severities: [:]))
    ])
    picking.type("w")
    while picking.state.findings.selected?.code != .targetConflict { picking.type("j") }
    picking.type("t", shows: "kept in 0 of 1 field", "1 field stays undecided: identity.user-id-not-string asks too.")
    picking.type("<esc>")
    #expect(!picking.lines[0].contains("decided"), "\(picking.lines[0])")
  }

  @Test func `q asks before it loses decisions, and where nothing is decided it does not`() {
    var picking = Self.picking("w <esc>q")
    #expect(picking.effects.isEmpty && picking.text.contains("2 fields decided by 1 finding, and not applied."))
    picking.type("q", then: \.state.screen, is: .containers)
    #expect(picking.lines[0].contains("2 fields decided") && picking.effects.isEmpty)
    picking.type("qy", then: \.effects, is: [.leave])
    #expect(Self.picking("w  <esc>q").effects == [.leave], "undone")
  }

  @Test func `q asks while containers are not read that the decisions may be about`() {
    var picking = Self.picking("w <esc>W2xAcme<enter>q")
    #expect(picking.effects == [.replan] && picking.state.screen == .containersQuit)
    #expect(picking.text.contains("Decisions by 1 finding; 8 containers not read yet."), "\(picking.text)")
    picking.type("q")
    picking.state.learn(Dictionary(uniqueKeysWithValues: sampleFleet.indices.map { ($0, planned([.unchanged])) }))
    picking.type("q", then: \.effects, is: [.replan, .leave])
  }

  @Test func `the heading shows the filter and the key that clears it; a finding that replaces one says so`() {
    var picking = Self.picking("/is:undecided<enter>")
    #expect(picking.lines[1].contains("filter (esc clears it): is:undecided"), "\(picking.lines[1])")
    picking.type("w<enter>", shows: "replaces “is:undecided”. esc lists all containers.")
    #expect(picking.lines[1].contains("filter (esc clears it): identity.user-id-not-string"), "\(picking.lines[1])")
    picking.type("<esc>")
    #expect(!picking.lines[1].contains("filter"))
    let narrow = Self.picking("/is:undecided<enter>", columns: 60, rows: 16)
    #expect(narrow.lines[1].contains("is:undecided"), "\(narrow.lines[1])")
  }

  @Test func `R previews rolling back all that are listed, y writes it, and H asks for the runs of one`() {
    var picking = Self.picking("")
    picking.state.learn([7: planned([.unchanged])])
    picking.type("/ada<enter>R")
    guard case .preview(.rollback, let listed)? = picking.effects.last else {
      return #expect(Bool(false), "\(picking.effects)")
    }
    #expect(listed.map(\.candidate) == [sampleFleet[0]])
    picking.state.show(ListedBatch([.paragraph("1 container.")], kind: .rollback), on: .containersPreview)
    picking.type("y", shows: "There is nothing to roll back.")
    picking.state.show(
      ListedBatch([.paragraph("1 container.")], kind: .rollback, count: 1, fields: 3), on: .containersPreview)
    picking.type("<enter>", shows: "y rolls back 3 fields in 1 container", "y roll back these")
    picking.type("y", shows: "Rolling back…")
    #expect(picking.effects.last == .write)
    picking.state.show(ListedBatch([], kind: .rollback), on: .containersResult)
    picking.type("<esc>H", then: \.effects.last, is: .history(sampleFleet[0]))
    picking.state.show(historyOf: sampleFleet[0].path, [.paragraph("This container has no runs yet.")])
    #expect(
      picking.text.contains("History of exports/Ada.xcappdata") && picking.text.contains("This container has no runs"))
  }

  @Test func `enter on a finding lists the containers that have it; what is chosen stays so while others are read`() {
    var picking = Self.picking("w<enter>")
    #expect(picking.state.screen == .containers && FindingCode(rawValue: picking.state.filter) != nil)
    picking.type("<esc>wG")
    let chosen = picking.state.findings.selected?.code
    picking.state.learn([7: planned([.ready], findings: [.userIDEmpty])])
    #expect(
      picking.state.findings.selected?.code == chosen
        && picking.state.findings.rows.contains { $0.code == .userIDEmpty })
  }

  @Test func `line by line, a row says its state, and a finding is decided by its word`() {
    typealias Choice = LineSession<PickerState>
    var choice = Choice(
      PickerState(
        sampleFleet, place: "/cases/4711", isPlanning: true, size: Choice.size,
        options: Choice.options(ReviewOptions())))
    _ = choice.update { state in
      state.learn(sampleStates)
      return []
    }
    let started = choice.start().lines
    #expect(
      started.contains {
        $0.hasPrefix("2 of 8. ") && $0.hasSuffix(": 1 error, 1 undecided, 1 ready; would be logged out")
      }, "\(started)")
    let findings = choice.take(line: "findings").lines
    #expect(findings.contains { $0.hasPrefix("At finding 1 of ") }, "\(findings)")
    #expect(choice.take(line: "accept").lines.contains { $0.hasSuffix(", accepted") })
    _ = choice.take(line: "esc")
    #expect(choice.take(line: "filter is:conflict").lines.contains { $0.contains("1 accepted") })
  }
}

import Carryover
public import CarryoverStorage

/// Gives a visitor of Convert's SDK another id, and takes along what was decided for them: they see the variations they
/// have always seen, and their goals count no second time. To be run before the SDK starts.
///
/// At whatever write it is cut off, the id that the SDK finds next has its decisions, and running the same migration again
/// finishes it. The order sees to that:
/// 1. the mirrors get the old id, so that it is known as long as something is left to do;
/// 2. the decisions are copied to the new id, and stay with the old one;
/// 3. the keychain, which the SDK trusts most, gets the new id;
/// 4. the decisions of the old id go;
/// 5. the mirrors get the new id, which is the mark that all is done.
///
/// Events that are waiting to be sent stay as they are: they happened under the old id.
///
/// Each change to the decisions holds the lock of ``ConvertFiles``, so other processes lose no decisions.
public struct ConvertMigration: Sendable {
  /// Which visitor becomes which.
  public enum Move: Hashable, Sendable {
    /// The one whose id the stores hold.
    case kept(to: String)
    /// One whose id the app gives the SDK itself: no store of ids is touched.
    case given(from: String, to: String)

    var target: String {
      switch self {
      case .kept(let id), .given(_, let id): id
      }
    }
  }

  private let files: ConvertFiles
  private let places: [IdentityLookup.Place]
  private let observers = ConvertObservers()

  /// The service of the keychain item with the visitor's id: a generic password that is readable after the first unlock
  /// and never leaves the device, as `KeychainDataStore` of CarryoverUserDefaults creates it.
  public static let keychainService = ConvertNames.keychainService

  /// A migration of the files and of the places of the id.
  /// - Parameters:
  ///   - files: the SDK's files.
  ///   - keychain: the items of ``keychainService``.
  ///   - mirror: `UserDefaults.standard`, which must write text as strings.
  public init(files: ConvertFiles, keychain: any ByteStore, mirror: any ByteStore) {
    self.files = files
    places = [
      IdentityLookup.Place(keychain, ConvertNames.visitorAccount),
      IdentityLookup.Place(mirror, ConvertNames.visitorMirror),
    ]
  }

  /// What happens from now on, as it happens. The stream ends with the run; one that is asked for when the work is done has
  /// ended. Whoever lets go of it, or cancels the task that reads it, is told no more.
  public func events() -> AsyncStream<ConvertEvent> { observers.stream() }

  /// The number of open streams.
  package var subscriptions: Int { observers.count }

  /// Carries it out, or finishes what an earlier run began.
  /// - Returns: what was done; a second run does nothing.
  /// - Throws: ``ConvertError``; running it again takes it up where it stopped.
  @discardableResult
  public func run(_ move: Move) throws(ConvertError) -> ConvertReport {
    var isDone = false
    defer { observers.finish(isDone: isDone) }
    do throws(ConvertError) {
      guard !move.target.isEmpty else { throw .emptyVisitor }
      let report =
        switch move {
        case .given(let old, let new): try moveGiven(old, new)
        case .kept(let new): try moveKept(new)
        }
      isDone = true
      observers.send(.finished(report))
      return report
    } catch {
      observers.send(.failed(error))
      throw error
    }
  }

  private func moveGiven(_ old: String, _ new: String) throws(ConvertError) -> ConvertReport {
    observers.send(.began(from: old, to: new))
    var report = ConvertReport(from: old, to: new)
    // One write: the old id goes as the new one comes.
    try changeDecisions(of: old, &report, ConvertEvent.decisionsMoved) { $0.move(from: old, to: new) }
    report.waitingEvents = waitingEvents(of: old)
    return report
  }

  private func moveKept(_ new: String) throws(ConvertError) -> ConvertReport {
    var held = try placesHeld()
    // The first place has the new id already where an earlier run was cut off behind that; a mirror tells the old one.
    let old = held.compactMap { $0 }.first { !Self.isSame($0, new) }
    observers.send(.began(from: old, to: new))
    var report = ConvertReport(from: old, to: new)
    if let old {
      if !Self.isSame(held[0], new) {
        for index in held.indices.dropFirst() { try put(old, index, &held, &report) }
        try changeDecisions(of: old, &report, ConvertEvent.decisionsCopied) { $0.copy(from: old, to: new) }
        try put(new, 0, &held, &report)
      }
      // Copied once more, for what was decided for the old id since an earlier run.
      try changeDecisions(of: old, &report, ConvertEvent.decisionsRemoved) { $0.move(from: old, to: new) }
      report.waitingEvents = waitingEvents(of: old)
    }
    for index in held.indices { try put(new, index, &held, &report) }
    return report
  }

  private func placesHeld() throws(ConvertError) -> [String?] {
    do throws(DataStoreError) {
      return try places.map { place throws(DataStoreError) in try place.id() }
    } catch {
      throw .store(error)
    }
  }

  private func put(
    _ id: String, _ index: Int, _ held: inout [String?], _ report: inout ConvertReport
  ) throws(ConvertError) {
    guard !Self.isSame(held[index], id) else { return }
    let place = places[index]
    do throws(DataStoreError) {
      try place.store.set(Array(id.utf8), for: place.name)
      guard Self.isSame(try place.id(), id) else {
        throw DataStoreError(.write, place.name, in: place.store.label, .verification)
      }
    } catch {
      throw .store(error)
    }
    held[index] = id
    report.writes += 1
    observers.send(.idWritten(id, store: place.store.label))
  }

  /// - Parameter change: returns how many projects it concerned.
  private func changeDecisions(
    of visitor: String, _ report: inout ConvertReport, _ event: (Int) -> ConvertEvent,
    _ change: (inout ConvertDecisions) -> Int
  ) throws(ConvertError) {
    // A run that changes nothing takes no lock, so it works in a read-only folder too.
    guard try files.decisions().visitors.contains(where: { Self.isSame($0, visitor) }) else { return }
    let projects = try files.updateDecisions { decisions in
      let before = decisions
      let projects = change(&decisions)
      return decisions == before ? 0 : projects
    }
    guard projects > 0 else { return }
    // What is copied and then removed counts once.
    report.projects = max(report.projects, projects)
    report.writes += 1
    observers.send(event(projects))
  }

  private static func isSame(_ held: String?, _ id: String) -> Bool { held?.utf8.elementsEqual(id.utf8) ?? false }

  /// A queue that cannot be read is looked at when it is recovered.
  private func waitingEvents(of visitor: String) -> Int {
    (try? files.queue())??.eventCount(of: visitor) ?? 0
  }
}

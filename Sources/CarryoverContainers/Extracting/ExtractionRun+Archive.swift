import Carryover
import CarryoverSystem
import PropertyLists

extension ExtractionRun {
  /// Writes the files that are not in memory, in the order of the archive.
  mutating func stream(
    _ sources: ExtractionSources, from archive: String, to folder: inout ExtractionFolder
  ) throws(ExtractionError) {
    let places = sources.archived
    var waiting = places
    let total = sources.entries.count
    var current: (path: String, handle: OpenFile, size: Int)?
    var failure: ExtractionError?
    do throws(ContainerError) {
      try ArchiveReader.stream(
        archiveAt: archive, as: sources.version, selecting: { places[$0] != nil }, observer: quiet
      ) { (part) throws(ContainerError) in
        do throws(ExtractionError) {
          try tell(total - waiting.count, total)
          switch part {
          case .file(let path, _):
            guard let place = waiting[path] else { break }
            current = (path, try folder.addFile(place.path), 0)
          case .bytes(let bytes):
            guard let file = current else { break }
            try folder.write(bytes, to: file.handle)
            current?.size += bytes.count
          case .end:
            guard let file = current else { break }
            try folder.finish(file.handle)
            count(file.size)
            waiting[file.path] = nil
            current = nil
          case .copy(let path, let original):
            guard let place = waiting.removeValue(forKey: StringByBytes(path)), let written = places[original] else {
              break
            }
            let source = PathText.join(folder.staging, written.path)
            try copy(source, place.size, to: place.path, in: &folder, total - waiting.count, total)
          case .missing: break
          }
        } catch {
          failure = error
          throw ContainerError(archive, .cancelled)
        }
      }
    } catch {
      throw failure ?? .container(error)
    }
    for (path, place) in waiting.sorted(by: { $0.key < $1.key }) {
      leaveOut(place.path, .unreadable("the archive has no content of \(DisplayText.quoted(path.text))"))
    }
  }

  /// Cancels the reading of the archive with the extraction, but reports no progress of its own.
  private var quiet: OpeningObserver {
    let observer = observer
    let last = OpeningProgress(.extracting, done: report.files)
    return OpeningObserver { _ in observer.goesOn(last) }
  }
}

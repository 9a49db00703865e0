import Carryover
import CarryoverSystem
import PropertyLists

extension StoreReader {
  /// The tables of a database that recipes read. A database without one of them has no values in it.
  mutating func database(
    _ path: String, _ tables: [KeyValueTable]
  ) throws(FileSystemError) -> (content: StoreContent, bytes: [UInt8]?) {
    let bytes = try fileSystem.read(onDisk(path), limit: min(limits.fileBytes, bytesLeft)).bytes
    bytesLeft -= bytes.count
    do throws(DatabaseImage.Failure) {
      let image = try DatabaseImage(bytes, of: onDisk(path), fileSystem: fileSystem, limit: limits.fileBytes)
      var seen: Set<StringByBytes> = []
      let different = tables.filter { seen.insert($0.label) }
      return (.database(KeyValueTables.read(different, of: image, limits)), bytes)
    } catch {
      return (.unreadable(ContainerWording.unreadable(path, error)), bytes)
    }
  }

  /// The files that belong to a database: a change in one of them changes its content.
  func logs(of path: String) -> [PlanBasis] {
    ["-wal", "-journal"].map { suffix in
      let image = try? fileSystem.read(onDisk(path + suffix), limit: limits.fileBytes)
      let isThere = (try? fileSystem.status(onDisk(path + suffix))) != nil
      return PlanBasis(
        file: path + suffix, value: image.map { PlanBasis.contents($0.bytes) } ?? (isThere ? PlanBasis.presence : nil))
    }
  }
}

import Carryover
import CarryoverSystem

extension ContainerError {
  /// The error for a file operation that failed on a path.
  init(reading path: String, _ error: FileSystemError) {
    switch error.reason {
    case .system(let number) where Platform.isDenial(number): self.init(path, .permissionDenied)
    case .system(let number) where Platform.isAbsence(number): self.init(path, .notFound)
    case .notRegular(.symbolicLink): self.init(path, .symbolicLink)
    case .notRegular(.other): self.init(path, .notFileOrFolder)
    default: self.init(path, .failed(error))
    }
  }
}

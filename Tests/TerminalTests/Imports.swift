@_exported public import CarryoverTerminal
@_exported public import CarryoverTestSupport
@_exported public import Foundation
@_exported public import Testing

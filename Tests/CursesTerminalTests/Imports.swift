@_exported public import CCarryoverCurses
@_exported public import CarryoverTerminal
@_exported public import Foundation
@_exported public import Testing

@_exported public import CarryoverTestSupport
@_exported public import Foundation
@_exported public import PropertyLists
@_exported public import Testing

// What most files of these tests import, for all of them.
@_exported public import CarryoverTestSupport
@_exported public import Foundation
@_exported public import PropertyLists
@_exported public import Testing

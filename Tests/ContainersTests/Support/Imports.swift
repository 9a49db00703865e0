@_exported public import Carryover
@_exported public import CarryoverContainers
@_exported public import CarryoverSystem
@_exported public import CarryoverTestSupport
@_exported public import CarryoverVendors
@_exported public import Foundation
@_exported public import PropertyLists
@_exported public import Testing

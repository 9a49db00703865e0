// The part of Apple's keychain that the sources use, declared by ourselves for the check of types. A type of Core
// Foundation is the one that it is bridged to.
public import Foundation

public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = "", kSecAttrAccessible: CFString = "",
  kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "", kSecAttrAccessibleAfterFirstUnlock: CFString = "",
  kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "", kSecAttrAccessibleWhenUnlocked: CFString = "",
  kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "", kSecAttrAccount: CFString = "",
  kSecAttrService: CFString = "", kSecAttrSynchronizable: CFString = "", kSecClass: CFString = "",
  kSecClassGenericPassword: CFString = "",
  kSecMatchLimit: CFString = "", kSecMatchLimitAll: CFString = "", kSecMatchLimitOne: CFString = "",
  kSecReturnAttributes: CFString = "", kSecReturnData: CFString = "", kSecUseDataProtectionKeychain: CFString = "",
  kSecValueData: CFString = ""
public let errSecDuplicateItem: OSStatus = 0, errSecItemNotFound: OSStatus = 0, errSecMissingEntitlement: OSStatus = 0,
  errSecSuccess: OSStatus = 0

public func SecItemAdd(_: CFDictionary, _: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemCopyMatching(_: CFDictionary, _: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemDelete(_: CFDictionary) -> OSStatus { 0 }
public func SecItemUpdate(_: CFDictionary, _: CFDictionary) -> OSStatus { 0 }
public func SecCopyErrorMessageString(_: OSStatus, _: UnsafeMutableRawPointer?) -> CFString? { nil }

print("carryover")

"""The checks, a file a promise. Each has CASES(setting), the names of its cases, and run(setting, case), which gives what
is wrong, one line each."""

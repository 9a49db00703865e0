// Swift reads a process's arguments from /proc, which chroots and hardened containers may lack. The system gives them to
// `main` in any case.
int carryover_main(int count, const char *const *arguments);

int main(int count, char **arguments) { return carryover_main(count, (const char *const *)arguments); }

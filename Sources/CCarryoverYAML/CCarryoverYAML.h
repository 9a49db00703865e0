// libyaml, whose events the recipe reader reads.
#include <yaml.h>

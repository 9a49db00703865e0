#include "CCarryoverYAML.h"

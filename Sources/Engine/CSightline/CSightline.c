// SwiftPM wants one source file in a C target; everything else is in the header.
#include "CSightline.h"

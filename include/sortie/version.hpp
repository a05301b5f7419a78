// The version of Sortie. CMakeLists.txt reads it from here.
#pragma once

#define SORTIE_VERSION "0.1.0"

// The version of Sortie and its day, for manual pages and packages. CMakeLists.txt reads them from here.
#pragma once

#define SORTIE_VERSION "0.1.0"
#define SORTIE_DATE "2026-11-25"

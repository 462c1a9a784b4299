# Posix threads: std::thread of the other kind needs a newer mingw.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
# Not the script wine, which talks. The shell that a test starts by the name sqlite3 is that of the target too.
set(CMAKE_CROSSCOMPILING_EMULATOR env LC_ALL=C.UTF-8 WINEDEBUG=-all WINEPATH=Z:${CMAKE_FIND_ROOT_PATH}/bin /usr/lib/wine/wine64)

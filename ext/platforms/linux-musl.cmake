# Zig's C++ compiler: Clang, with sources of musl and libc++. Debian has no C++ library for musl.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(S2V_ZIG ${CMAKE_CURRENT_LIST_DIR}/../../build-sources/zig/zig)
set(CMAKE_C_COMPILER ${S2V_ZIG} cc -target x86_64-linux-musl)
set(CMAKE_CXX_COMPILER ${S2V_ZIG} c++ -target x86_64-linux-musl)

# No threads: a page's server would have to send headers for them. Exceptions are WebAssembly's own: those by JavaScript
# cost at every call that may throw.
set(CMAKE_C_FLAGS_INIT -msimd128)
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -fwasm-exceptions -include ${CMAKE_CURRENT_LIST_DIR}/wasm_std.h")
set(CMAKE_EXE_LINKER_FLAGS_INIT -fwasm-exceptions)
find_program(S2V_EMCC emcc REQUIRED)
file(REAL_PATH ${S2V_EMCC} S2V_EMCC)
get_filename_component(S2V_EMSCRIPTEN ${S2V_EMCC} DIRECTORY)
include(${S2V_EMSCRIPTEN}/cmake/Modules/Platform/Emscripten.cmake)

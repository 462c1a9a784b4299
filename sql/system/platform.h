// What differs between operating systems, and the only place where they are called:
// platform_posix.cc and platform_windows.cc are the two sides of it. (core/huge_pages.h has one
// wish besides.)
//
// Paths are UTF-8 on every system, as SQLite's are. Files are descriptors of the C library, as
// read() and close() take them, without any translation of line ends. What fails gives -1, and
// errno says why.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace s2v {

// A path for the standard library, which reads plain strings in the code page where there is one.
inline std::filesystem::path PathOf(std::string_view utf8) {
  return std::u8string(utf8.begin(), utf8.end());
}
inline std::string TextOf(const std::filesystem::path& path) {
  const std::u8string utf8 = path.u8string();
  return {utf8.begin(), utf8.end()};
}

// To read. A pipe is opened without waiting for who writes to it, and reads do not wait either,
// unless `waits` is set.
int OpenToRead(const std::string& path, bool waits = false);
// The size of a regular file, -1 of anything else.
int64_t FileSize(int file);
// From any place of a regular file, from several threads at once: how many bytes, 0 at its end.
int64_t ReadAt(int file, uint64_t place, size_t bytes, char* to);
int64_t WriteAt(int file, uint64_t place, std::string_view bytes);

// A file without a name in TemporaryFolder, gone when the program is, however it ends.
int OpenTemporary();
std::string TemporaryFolder();
// Whether an errno says that there is no room for more.
bool IsNoRoom(int error);

// What tells this file from every other as long as it exists; "" where there is none.
std::string FileIdentity(const std::string& path);
// Changes with every change of the file.
std::string FileVersion(const std::string& path);

// Whether no name of an open file can be taken from it; elsewhere SQLite's HAS_MOVED tells whether
// one was.
#ifdef _WIN32
inline constexpr bool kOpenFilesStay = true;
#else
inline constexpr bool kOpenFilesStay = false;
#endif

// Whether this process may; where not, errno says why. Of a folder: may make files in it.
bool MayRead(const std::string& path);
bool MayWrite(const std::string& path);

// Bytes that this process may still take: what the system has available or, where it is less, what
// a limit of this process leaves. 0 where the system does not say.
uint64_t AvailableMemory();

// Gives freed memory back to the system: the words that were counted, before the matrices are
// taken.
void ReturnFreedMemory();

// ---- of the program s2v ----

// Before anything is read or written: standard input and output are bytes, arguments and what a
// console shows are UTF-8. Gives the arguments, which live as long as the program.
char** BeginProgram(int* count, char** arguments);
// Of standard error, in characters; 0 where it is no terminal.
size_t TerminalWidth();
// Runs a command by the system's shell; its standard input is a file that is open, its output is
// read from what this gives; nullptr and errno where it does not start. EndCommand gives the exit
// code, 256 + a signal that ended it.
FILE* StartCommand(const std::string& command, FILE* input);
int EndCommand(FILE* output);

}  // namespace s2v

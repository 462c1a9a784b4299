// Paths go to the functions that take UTF-16: the others read them in the code page of the machine.
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include "sql/system/platform.h"
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
// After windows.h, which they need.
#include <shellapi.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

namespace s2v {
namespace {

std::wstring Utf16(std::string_view text) {
  const int bytes = static_cast<int>(text.size());
  std::wstring wide(text.size(), L'\0');  // never more units than bytes
  wide.resize(
      static_cast<size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, wide.data(), bytes)));
  return wide;
}

std::string Utf8(std::wstring_view wide) {
  const int units = static_cast<int>(wide.size());
  std::string text(3 * wide.size(), '\0');
  text.resize(static_cast<size_t>(WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, text.data(),
                                                      3 * units, nullptr, nullptr)));
  return text;
}

int Fail() {
  switch (GetLastError()) {
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      errno = ENOSPC;
      break;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
      errno = ENOENT;
      break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
      errno = EACCES;
      break;
    default:
      errno = EIO;
  }
  return -1;
}

HANDLE HandleOf(int file) {
  return reinterpret_cast<HANDLE>(_get_osfhandle(file));
}

OVERLAPPED At(uint64_t place) {
  OVERLAPPED at{};
  at.Offset = static_cast<DWORD>(place);
  at.OffsetHigh = static_cast<DWORD>(place >> 32);
  return at;
}

DWORD AtMost(size_t bytes) {
  return static_cast<DWORD>(std::min(bytes, size_t{1} << 30));
}

// What the system tells of a file that others may go on using.
bool Look(const std::string& path, BY_HANDLE_FILE_INFORMATION* about) {
  const HANDLE file = CreateFileW(Utf16(path).c_str(), FILE_READ_ATTRIBUTES,
                                  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                  OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (file == INVALID_HANDLE_VALUE) return false;
  const bool known = GetFileInformationByHandle(file, about);
  CloseHandle(file);
  return known;
}

std::string Joined(DWORD high, DWORD low) {
  return std::to_string(static_cast<uint64_t>(high) << 32 | low);
}

}  // namespace

int OpenToRead(const std::string& path, bool /*waits*/) {
  return _wopen(Utf16(path).c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

int64_t FileSize(int file) {
  struct _stat64 status {};
  return _fstat64(file, &status) == 0 && (status.st_mode & _S_IFREG) != 0 ? status.st_size : -1;
}

int64_t ReadAt(int file, uint64_t place, size_t bytes, char* to) {
  OVERLAPPED at = At(place);
  DWORD got = 0;
  if (ReadFile(HandleOf(file), to, AtMost(bytes), &got, &at)) return got;
  return GetLastError() == ERROR_HANDLE_EOF ? 0 : Fail();
}

int64_t WriteAt(int file, uint64_t place, std::string_view bytes) {
  OVERLAPPED at = At(place);
  DWORD done = 0;
  if (WriteFile(HandleOf(file), bytes.data(), AtMost(bytes.size()), &done, &at)) return done;
  return Fail();
}

int OpenTemporary() {
  wchar_t path[MAX_PATH + 1];
  if (GetTempFileNameW(Utf16(TemporaryFolder()).c_str(), L"s2v", 0, path) == 0) return Fail();
  const HANDLE file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS,
                                  FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
  if (file == INVALID_HANDLE_VALUE) return Fail();
  return _open_osfhandle(reinterpret_cast<intptr_t>(file), _O_BINARY | _O_NOINHERIT);
}

std::string TemporaryFolder() {
  wchar_t path[MAX_PATH + 1];
  const wchar_t* set = _wgetenv(L"TMPDIR");  // as elsewhere; TMP and TEMP are the system's own
  if (set != nullptr && *set != L'\0') return Utf8(set);
  const DWORD size = GetTempPathW(MAX_PATH + 1, path);
  return Utf8({path, size});
}

bool IsNoRoom(int error) {
  return error == ENOSPC;
}

std::string FileIdentity(const std::string& path) {
  BY_HANDLE_FILE_INFORMATION about;
  if (!Look(path, &about)) return "";
  return std::to_string(about.dwVolumeSerialNumber) + "/" +
         Joined(about.nFileIndexHigh, about.nFileIndexLow);
}

std::string FileVersion(const std::string& path) {
  BY_HANDLE_FILE_INFORMATION about;
  if (!Look(path, &about)) return "";
  return Joined(about.nFileSizeHigh, about.nFileSizeLow) + "/" +
         Joined(about.ftLastWriteTime.dwHighDateTime, about.ftLastWriteTime.dwLowDateTime);
}

bool MayRead(const std::string& path) {
  return _waccess(Utf16(path).c_str(), 4) == 0;
}
bool MayWrite(const std::string& path) {
  return _waccess(Utf16(path).c_str(), 2) == 0;
}

uint64_t AvailableMemory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof(status);
  if (!GlobalMemoryStatusEx(&status)) return 0;
  // What may be committed counts the page file too, and a limit of the process' job.
  return std::min(status.ullAvailPhys, status.ullAvailPageFile);
}

void ReturnFreedMemory() {}

char** BeginProgram(int* count, char** arguments) {
  for (FILE* file : {stdin, stdout, stderr}) _setmode(_fileno(file), _O_BINARY);
  SetConsoleOutputCP(CP_UTF8);
  wchar_t** const wide = CommandLineToArgvW(GetCommandLineW(), count);
  if (wide == nullptr) return arguments;
  static std::vector<std::string> texts;
  static std::vector<char*> pointers;
  texts.assign(static_cast<size_t>(*count), "");
  for (size_t i = 0; i < texts.size(); i++) {
    texts[i] = Utf8(wide[i]);
    pointers.push_back(texts[i].data());
  }
  pointers.push_back(nullptr);
  LocalFree(wide);
  return pointers.data();
}

size_t TerminalWidth() {
  CONSOLE_SCREEN_BUFFER_INFO screen;
  const HANDLE error = GetStdHandle(STD_ERROR_HANDLE);
  DWORD mode = 0;
  if (!GetConsoleMode(error, &mode) || !GetConsoleScreenBufferInfo(error, &screen)) return 0;
  // The line is rewritten with escape sequences, which old consoles would show.
  if (!SetConsoleMode(error, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING)) return 0;
  return static_cast<size_t>(screen.srWindow.Right - screen.srWindow.Left + 1);
}

FILE* StartCommand(const std::string& command, FILE* input) {
  // The command inherits the standard input that this process has at this moment.
  const int former = _dup(0);
  _lseeki64(_fileno(input), 0, SEEK_SET);
  _dup2(_fileno(input), 0);
  FILE* const output = _wpopen(Utf16(command).c_str(), L"rb");
  const int error = errno;
  if (former >= 0) {
    _dup2(former, 0);
    _close(former);
  }
  errno = error;
  return output;
}

int EndCommand(FILE* output) {
  return _pclose(output);
}

}  // namespace s2v

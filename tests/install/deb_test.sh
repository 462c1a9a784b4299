#!/usr/bin/env bash
# deb_test.sh BUILD VERSION SHELL: the Debian package, and with it what cmake --install puts where. Its files are unpacked
# into a folder, as installing them elsewhere would.
. "$(dirname "$0")/common.sh"
shell=$3
make_package deb || exit $?
dpkg -x "$packages/sqlite-s2v_${version}_$(dpkg --print-architecture).deb" root
dpkg -I "$packages/sqlite-s2v_${version}_$(dpkg --print-architecture).deb" | grep '^ Depends: libc6 (>= 2.34)$'
library=$(realpath root/usr/lib/*/)
old_enough "$library/s2v.so" root/usr/bin/s2v

if [ -x "$build/s2v-mpi" ]; then
  mpi=$packages/sqlite-s2v-mpi_${version}_$(dpkg --print-architecture).deb
  dpkg -x "$mpi" mpi
  dpkg -I "$mpi" | grep -q '^ Depends: .*libopenmpi' || fail 'the package of s2v-mpi does not name Open MPI'
  for file in copyright NOTICES; do [ -f mpi/usr/share/doc/sqlite-s2v-mpi/$file ] || fail "the package of s2v-mpi lacks $file"; done
  mpi/usr/bin/s2v-mpi --version | grep -q "^s2v $version " || fail 's2v-mpi does not start'
fi

# By its name alone, where the loader looks.
found=$(LD_LIBRARY_PATH=$library "$shell" -batch -bail -init /dev/null -cmd '.load s2v' :memory: <quickstart.sql)
[ "$found" = $'1\n1,1,1' ] || fail "the shell found: $found"
root/usr/bin/s2v --version | grep -q "^s2v $version "
# The man page has each command and option that --help names, and no mistake that man sees.
page=root/usr/share/man/man1/s2v.1
for command in train index search; do grep -q "^\.SH \"S2V ${command^^}\"$" $page || fail "the man page lacks $command"; done
options=$(for command in train search 'eval self'; do root/usr/bin/s2v $command --help; done | grep -oE '^  --[a-z0-9-]+' | sort -u)
for option in $options; do grep -qF "${option//-/\\-}" $page || fail "the man page lacks $option"; done
! command -v man >/dev/null || [ -z "$(man --warnings -l $page 2>&1 >/dev/null)" ] || fail 'man warns of the man page'
[ -f root/usr/share/doc/sqlite-s2v/docs/sql.md ]
for file in copyright NOTICES; do [ -f root/usr/share/doc/sqlite-s2v/$file ] || fail "the package lacks $file"; done

# A C program with CMake and with pkg-config.
cp "$source/examples/static_link.c" .
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(program LANGUAGES C)
find_package(sqlite-s2v 0.1 REQUIRED)
find_package(SQLite3 REQUIRED)
add_executable(program static_link.c)
target_link_libraries(program s2v::s2v SQLite::SQLite3)
END
cmake -S . -B program -DCMAKE_PREFIX_PATH="$PWD/root/usr" >cmake.log && cmake --build program >>cmake.log ||
  { cat cmake.log && exit 1; }
program/program
if command -v pkg-config >/dev/null; then
  # shellcheck disable=SC2046  # words
  PKG_CONFIG_PATH=$library/pkgconfig bash -euc \
    'cc static_link.c $(pkg-config --cflags --libs sqlite-s2v sqlite3) -o packaged && pkg-config --modversion sqlite-s2v' |
    grep -q "^$version$"
  ./packaged
fi

#!/usr/bin/env bash
# cross_test.sh BUILD VERSION: the packages of a cross build, unpacked into an empty folder, in the platform's emulator: SQL
# in SQLite's shell, the program, and Node's own SQLite, as npm has it for the platform. Run by tests/platforms.sh.
. "$(dirname "$0")/common.sh"
"$source/ext/install/packages.sh" "$build" "$version" >packages.log || { cat packages.log && exit 1; }
(cd "$packages" && sha256sum --check --quiet --strict SHA256SUMS)
made=''
extension=s2v.so program=s2v node=linux-arm64/bin/node
[ ! -f "$build/s2v.dll" ] || extension=s2v.dll program=s2v.exe node=win-x64/bin/node.exe
read -r -a emulator <<<"$(sed -n 's/^exec \(.*\) [^ ]* "\$@"$/\1/p' "$build/emulated/s2v")"  # as tests/programs.cmake writes it

# works FOLDER: what is in it answers questions
works() {
  local found
  case $extension in *.so) old_enough "$1/$extension" "$1/$program" ;; esac
  # The shell takes a relative path of either system.
  found=$(cd "$1" && "$build/emulated/sqlite3" -batch -bail -init /dev/null -cmd '.load ./s2v' :memory: <"$folder/quickstart.sql" | tr -d '\r')
  [ "$found" = $'1\n1,1,1' ] || fail "$1: the shell found: $found"
  "${emulator[@]}" "$1/$program" --version | grep -q "^s2v $version " || fail "$1: the program"
}

for package in "$packages"/*; do
  case $package in
    *.zip)
      mkdir zip && (cd zip && cmake -E tar xf "$package")
      works "$(echo zip/*)"
      [ -f "$(echo zip/*)/NOTICES" ] || fail "the zip lacks NOTICES"
      made="$made zip"
      ;;
    *.whl)
      mkdir wheel && (cd wheel && cmake -E tar xf "$package")
      works wheel/sqlite_s2v
      tags=$(sed -n 's/^Tag: py3-none-//p' wheel/*.dist-info/WHEEL | tr '\n' .)
      [ "$(basename "$package")" = "sqlite_s2v-$version-py3-none-${tags%.}.whl" ] || fail "tags: $tags"
      made="$made wheel"
      ;;
    *.deb)
      dpkg -x "$package" deb
      dpkg -I "$package" | grep -q '^ Depends: libc6 (>= 2.34)$'
      cp deb/usr/lib/*/s2v.so deb/usr/bin/
      works deb/usr/bin
      grep -q '^\.SH "S2V TRAIN"$' deb/usr/share/man/man1/s2v.1 || fail 'the .deb has no man page'
      made="$made deb"
      ;;
    *-x64-"$version".tgz | *-arm64-"$version".tgz)
      npm install --silent --offline --no-audit --no-fund --force "$package" "$packages/sqlite-s2v-$version.tgz"
      runtime=$source/build-sources/node-${node%%/*}
      if [ ! -d "$runtime" ]; then
        mkdir -p "$runtime" && (cd "$runtime" && npm pack --silent "node-${node%%/*}@22" >name && tar -xzf "$(tail -n 1 name)" --strip-components=1) ||
          { rm -rf "$runtime" && skip "npm has no Node for ${node%%/*}"; }
      fi
      cat >quickstart.cjs <<'END'
const {DatabaseSync} = require('node:sqlite');
const db = new DatabaseSync(':memory:', {allowExtension: true});
require('sqlite-s2v').load(db);
const statements = require('fs').readFileSync('quickstart.sql', 'utf8').split(/;\n/).filter(text => text.trim());
const question = statements.pop();
for (const statement of statements) db.exec(statement);
console.log(process.platform, process.arch, Object.values(db.prepare(question).get()).join());
END
      # Node 22: newer ones end at once in Wine 8, which also shows them no pipes.
      NODE_SKIP_PLATFORM_CHECK=1 "${emulator[@]}" "$source/build-sources/node-$node" quickstart.cjs </dev/null >found 2>message ||
        { cat message && exit 1; }
      found=$(tr -d '\r' <found)
      case $found in *' 1,1,1') made="$made npm (Node: $found)" ;; *) fail "Node found: $found" ;; esac
      ;;
  esac
done
[ -n "$made" ] && echo "packages:$made"

# shellcheck shell=bash disable=SC2034
# Set-up that examples/quickstart.sh and tests/run.sh share: sourced by both, from the project's folder.
#
#   start_step 'Packages'                        # "1. Packages  [0 s]"
#   install_packages $BUILD_PACKAGES             # Debian packages, only those that are missing
#   build_targets s2v_extension s2v              # into build/, with the release preset
#
# Nothing here asks a question, and all of it can be run again: what is there already is left alone.

BUILD_PACKAGES='g++ cmake make libsqlite3-dev sqlite3 libxxhash-dev libutf8proc-dev libstemmer-dev liblbfgs-dev libcli11-dev'
BUILD_PACKAGES+=' doctest-dev'

step_number=0

# start_step TITLE
start_step() {
  step_number=$((step_number + 1))
  printf '\n%d. %s  [%d s]\n' "$step_number" "$1" "$SECONDS"
}

# say TEXT...: a line below the step
say() { printf '   %s\n' "$@"; }

# stop TEXT...: ends the script with an error
stop() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  shift
  [ $# -eq 0 ] || printf '   %s\n' "$@" >&2
  exit 1
}

# missing_packages PACKAGE...: prints those that are not installed
missing_packages() {
  local package
  for package in "$@"; do
    # shellcheck disable=SC2016  # ${...} is dpkg-query's
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      printf '%s ' "$package"
  done
}

# apt_get ARGUMENT...: as root, through sudo otherwise; never asks
apt_get() {
  say "\$ ${as_root:+sudo }apt-get $*"
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 "$@" \
    </dev/null >>"$apt_log" 2>&1
}

# install_packages PACKAGE...
install_packages() {
  local missing as_root='' apt_log attempt
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say 'This is not Debian or Ubuntu, so nothing is installed. These packages, or what they are called here,' \
      "are needed: $*"
    return
  fi
  missing=$(missing_packages "$@")
  if [ -z "$missing" ]; then
    say 'All are installed.'
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    as_root='sudo -n'
    if ! command -v sudo >/dev/null || { ! sudo -n true 2>/dev/null && ! [ -t 0 ]; }; then
      stop 'packages are missing and only root can install them. Please run this as root, then start again:' \
        "apt-get update && apt-get install $missing"
    fi
    # May ask for the password, once; on a terminal only.
    sudo -n true 2>/dev/null || sudo -v || stop 'sudo refused. Packages that are missing:' "$missing"
  fi
  apt_log=$(mktemp)
  # shellcheck disable=SC2086  # a list
  for attempt in 1 2; do
    # The lists are fetched only where they are too old or too few for what is missing.
    apt_get install --no-install-recommends $missing && break
    if [ $attempt -eq 1 ]; then
      say 'That did not work; once more with fresh package lists.'
      apt_get update || true
    fi
  done
  missing=$(missing_packages "$@")
  if [ -n "$missing" ]; then
    tail -n 15 "$apt_log" >&2
    rm -f "$apt_log"
    stop 'packages could not be installed. To try by hand:' \
      "${as_root:+sudo }apt-get update && ${as_root:+sudo }apt-get install $missing"
  fi
  rm -f "$apt_log"
  say 'Installed.'
}

# build_targets [TARGET...]: all of them where none is named
build_targets() {
  local log=build/setup.log
  local -a build=(cmake --build --preset release --parallel "$(nproc)")
  [ $# -eq 0 ] || build+=(--target "$@")
  mkdir -p build
  say '$ cmake --preset release' "\$ ${build[*]}" "(messages: $log)"
  if ! { cmake --preset release && "${build[@]}"; } >"$log" 2>&1 </dev/null; then
    tail -n 40 "$log" >&2
    stop "the build failed; the end of $log is above."
  fi
}

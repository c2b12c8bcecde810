# Sourced by ./run and ./test, with $root set to the top folder.

# Compilers that use Eigen take up to about 1.5 GB each, so a machine with many cores and little memory gets fewer jobs.
job_count() {
  local cores memory_kb jobs
  cores=$(nproc 2>/dev/null || echo 2)
  memory_kb=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo 2>/dev/null || true)
  jobs=$((${memory_kb:-4000000} / 1500000))
  [ "$jobs" -lt "$cores" ] || jobs=$cores
  [ "$jobs" -ge 1 ] || jobs=1
  echo "$jobs"
}

# quietly COMMAND…: its output is shown only if it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 </dev/null || status=$?
  [ "$status" -eq 0 ] || cat "$log" >&2
  rm -f "$log"
  return "$status"
}

# configure PRESET [cmake options…]
configure() {
  local preset=$1
  shift
  local launcher
  launcher=$(command -v ccache || true)
  # Presets are looked for in the current folder.
  (cd "$root" && quietly cmake --preset "$preset" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" "$@")
}

# build PRESET [targets…]
build() {
  local preset=$1
  shift
  local targets=()
  if [ $# -gt 0 ]; then
    targets=(--target "$@")
  fi
  quietly cmake --build "$root/build/$preset" --parallel "$(job_count)" "${targets[@]}"
}

# What ./run, ./package and ./test share: which Debian packages they need, and where things are built. Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tintype
scratch=$cache/build

# To build and serve.
build_packages=(
    libvips-dev libarchive-dev libseccomp-dev libsqlite3-dev libpq-dev libdeflate-dev pkg-config
    libjs-leaflet fonts-cantarell fonts-kaushanscript fonts-liberation fonts-roboto-slab
)
# Photographs for the demo; it falls back to drawings without them.
demo_packages=(lomiri-wallpapers-16.04 lomiri-wallpapers-20.04)
# To make Debian packages, and to check them.
package_packages=(binutils chrpath dpkg-dev lintian)
# To check and test the scripts, and to test in real browsers.
test_packages=(
    caddy chromium chromium-headless-shell curl etcd-server ffmpeg fonts-inter fonts-noto-color-emoji
    haproxy iproute2 memcached nginx-light node-typescript nodejs openssl patroni postgresql prometheus python3-etcd
    python3-venv swift-account swift-container swift-object swift-proxy webkit2gtk-driver xvfb
)
# For a Debian of the tests' own.
machine_packages=(debootstrap systemd-container)
# To measure, beside other tools.
benchmark_packages=(
    wrk libvips-tools imagemagick prosody python3-venv postgresql swift-account swift-container swift-object swift-proxy
    memcached chromium-headless-shell
)

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# Installs those of the named packages that are missing.
install_packages() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    say "Installing ${missing[*]} …"
    local sudo=()
    [ "$(id -u)" -eq 0 ] || sudo=(sudo)
    "${sudo[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

need_swift() {
    command -v swift >/dev/null || fail "Swift 6.3 is missing. See https://www.swift.org/install/linux/debian/12."
}

# What the last build said in full.
build_log=$cache/build.log

# Builds with the given options, saying how far it is. On failure, prints what the compiler said.
build() {
    local line shown=0
    mkdir -p "$cache"
    swift build --package-path "$root" --scratch-path "$scratch" "$@" 2>&1 | tee "$build_log" |
        while IFS= read -r line; do
            [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
            if [ -t 1 ]; then
                printf '\r\033[K%.76s' "$line"
            elif ((BASH_REMATCH[1] >= shown)); then
                printf '%s of %s steps\n' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
                shown=$((BASH_REMATCH[1] + 200))
            fi
        done && return
    printf '\n'
    grep -E 'error:' "$build_log" | sort -u | head -40 || true
    tail -20 "$build_log"
    fail "The build failed."
}

# Builds the programs that people use, for ./run and ./package.
build_release() {
    local product
    for product in tintype tintype-pictures; do build -c release --product "$product"; done
}

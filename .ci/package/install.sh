#!/bin/sh
# Installs rfm from an unpacked archive, without root unless PREFIX needs it: PREFIX=$HOME/.local sh install.sh
set -eu
cd "$(dirname "$0")"
prefix=${PREFIX:-$HOME/.local}
put() { # FILE MODE DESTINATION
	mkdir -p "$prefix/$(dirname "$3")"
	cp "$1" "$prefix/$3"
	chmod "$2" "$prefix/$3"
}
put rfm 755 bin/rfm
put completions/rfm.bash 644 share/bash-completion/completions/rfm
put completions/_rfm 644 share/zsh/site-functions/_rfm
put completions/rfm.fish 644 share/fish/vendor_completions.d/rfm.fish
put commands.md 644 share/doc/rfm/commands.md
put LICENSE 644 share/doc/rfm/LICENSE
put THIRD-PARTY-LICENSES 644 share/doc/rfm/THIRD-PARTY-LICENSES
put modulefile 644 share/modulefiles/rfm
sed "s|@PREFIX@|$prefix|" modulefile >"$prefix/share/modulefiles/rfm"
echo "installed in $prefix; put $prefix/bin on PATH, or: module use $prefix/share/modulefiles && module load rfm"

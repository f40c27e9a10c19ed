# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions that build this tree for a kernel, inside that kernel's root. Sourced after lib.sh.

# build_dir KERNEL: prints the build directory. Each checkout has its own, so that two of them
# never mix.
build_dir() {
	local name=$1

	[ "$name" != own ] || name=$(basename "$(own_dir)")
	echo "$CACHE/build/$(printf %s "$TREE" | sha256sum | cut -c1-12)/$name"
}

# Prints the arguments of make that turn warnings of the compilers and of sparse into errors. If
# they were no errors, the next build, which compiles only what changed, would not show them.
# Sparse does not run for a kernel of a newer suite, because the root's sparse may not understand
# that kernel's headers, nor for one that we configured.
strict() { # KERNEL
	echo W=1 WERROR=1
	[ -n "$(kernel_option "$1" from)$(kernel_option "$1" built)" ] || echo C=1 CF=-Wsparse-error
}

# cross_args KERNEL: prints the arguments of make with which the root's cross compiler builds for
# another machine
cross_args() {
	local name

	is_foreign "$1" || return 0
	name=$(machine_name "$1")-linux-gnu
	echo "ARCH=$(kernel_arch "$1") CROSS_COMPILE=$name- CC=$name-gcc HOSTCC=gcc" \
		"PKG_CONFIG_LIBDIR=/usr/lib/$name/pkgconfig:/usr/share/pkgconfig"
}

has_headers() {
	[ "$1" != own ] || { [ -s "$(own_dir)/headers" ]; return; }
	[ -z "$(kernel_option "$1" image)" ]
}

# sources_of KERNEL: prints the options of vm/enter that show the sources of one's own kernel
sources_of() {
	local d

	[ "$1" = own ] || return 0
	while read -r d; do echo "-w $d"; done <"$(own_dir)/sources"
}

# build_tree KERNEL [MAKE ARGUMENT...]: builds incrementally, one build at a time per checkout and
# kernel. For a kernel without headers it does not build the module. BLKLAT_MAKE=modules in the
# environment builds the target "modules" instead of all.
build_tree() {
	local k=$1 out goals=(modules user)

	shift
	# Without a goal, make would leave out the module if the headers were not found.
	has_headers "$k" || goals=(user)
	[ -z "${BLKLAT_MAKE-}" ] || goals=("$BLKLAT_MAKE")
	[ $# -eq 0 ] || goals=("$@")
	out=$(build_dir "$k")
	mkdir -p "$out"
	(
		flock 8
		# shellcheck disable=SC2046
		"$VM_DIR/enter" "$k" -w "$out" $(sources_of "$k") -- \
			make --no-print-directory -j"$(nproc)" $(strict "$k") O="$out" \
			$(cross_args "$k") KDIR="$(kernel_build_dir "$k")" \
			"${goals[@]}" >"$out/.log" 2>&1 || {
			grep -v '^  [A-Z]' "$out/.log" | tail -n 40 >&2
			die "building for $k failed; the whole log is $out/.log"
		}
		! grep -q 'warning:' "$out/.log" || grep -A4 'warning:' "$out/.log" >&2
	) 8>"$out/.lock" || exit 1
}

# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions and variables that the scripts beside this one share: paths, the kernel table,
# messages.

VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034 # used by those who source this
TREE=$(cd "$VM_DIR/../.." && pwd)
CACHE=${BLKLAT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/blklat}
PROG=${PROG:-${0##*/}}
# QEMU prints this line when it aborts because of an error of its own. It was seen once, on a busy
# host, while the guest set up its PCI devices (iotlb_to_section).
# shellcheck disable=SC2034 # used by those who source this
QEMU_FAILED='qemu-system.*: Assertion .* failed'

msg() { printf '%s: %s\n' "$PROG" "$*" >&2; }
die() { msg "$*"; exit 1; }
usage_error() { msg "$*"; exit 2; }

# Prints one line per kernel: its name, suite and options. A kernel of the user's own has the name
# "own"; BLKLAT_KERNEL in the environment says where it is, see vm/own.
kernel_rows() {
	table_rows
	[ -z "${BLKLAT_KERNEL-}" ] || own_row
}

table_rows() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$VM_DIR/kernels"; }

# own_use KERNEL: takes this path for one's own kernel from now on
own_use() {
	case $1 in
	/*) export BLKLAT_KERNEL=$1 ;;
	*) export BLKLAT_KERNEL=$PWD/$1 ;;
	esac
}

own_row() {
	local config=${BLKLAT_KERNEL%%,*}

	config=${config%/arch/x86*/boot/bzImage}/.config

	table_rows | awk '("," $3 ",") ~ /,own,/ {
		printf "own\t%s\tbuilt=own,apart%s", $2,
			("," $3 ",") ~ /,expired,/ ? ",expired" : "" }'
	! grep -qs '^CONFIG_KASAN=y' "$config" || printf ',slow=6'
	echo
}

# own_base prints the kernel in whose root one's own kernel boots.
own_base() { table_rows | awk '("," $3 ",") ~ /,own,/ { print $1 }'; }

# own_dir prints the directory in which vm/own keeps what it takes of one's own kernel.
own_dir() {
	echo "$CACHE/kernels/own-$(printf %s "${BLKLAT_KERNEL-}" | sha256sum | cut -c1-12)"
}

# kernel_names prints the kernels that "all" means; kernel_all_names also prints those with the
# option "more" or "apart".
kernel_names() { kernel_rows | awk '("," $3 ",") !~ /,(more|apart),/ { print $1 }'; }
kernel_all_names() { kernel_rows | awk '{ print $1 }'; }
kernel_suite() { kernel_rows | awk -v k="$1" '$1 == k { print $2 }'; }
# kernel_has_option KERNEL NAME: returns true if the kernel has this option. grep runs without -q,
# so that it reads to the end: with -q its writer may get a broken pipe, which pipefail makes a
# failure.
kernel_has_option() {
	kernel_rows | awk -v k="$1" '$1 == k { print "," $3 "," }' | grep ",$2," >/dev/null
}
# kernel_option KERNEL NAME: prints the value of the option NAME=VALUE, or nothing if the kernel
# does not have it
kernel_option() {
	kernel_rows | awk -v k="$1" '$1 == k { print $3 }' | tr , '\n' | sed -n "s/^$2=//p"
}

# kernel_arch KERNEL: prints the machine that the kernel is for, as Debian calls it
kernel_arch() {
	local arch

	arch=$(kernel_option "$1" arch)
	echo "${arch:-amd64}"
}

# is_foreign KERNEL: returns true if the kernel is for a machine whose programs cannot run here
is_foreign() { [ "$(kernel_arch "$1")" != amd64 ]; }

# machine_name KERNEL: prints the name that compilers and QEMU have for the kernel's machine
machine_name() {
	case $(kernel_arch "$1") in
	amd64) echo x86_64 ;;
	arm64) echo aarch64 ;;
	*) die "$1: arch=$(kernel_arch "$1") is not known" ;;
	esac
}

# kernel_slow KERNEL: prints how many times as long as others the kernel takes
kernel_slow() {
	local n

	n=$(kernel_option "$1" slow)
	echo "${n:-1}"
}

# kernel_select NAMES: prints one name per line for NAMES such as "6.1,7.2", "6.1 7.2" or "all";
# an unknown name is an error.
kernel_select() {
	local want=${*//,/ } k

	[ "$want" = all ] && { kernel_names; return; }
	for k in $want; do
		kernel_all_names | grep -xF -- "$k" >/dev/null ||
			usage_error "no kernel '$k' in selftests/vm/kernels;" \
				"it has: $(kernel_all_names | xargs)"
		echo "$k"
	done
}

root_dir() {
	local k=$1

	[ "$k" != own ] || k=$(own_base)
	echo "$CACHE/roots/$k"
}

# guest_dir KERNEL: prints the directory of what guests see as /. It is the root itself, unless
# the kernel is for another machine: then the root has this machine's compilers, and what they make
# runs in a guest only.
guest_dir() { ! is_foreign "$1" && root_dir "$1" || echo "$(root_dir "$1")/guest"; }

# kernel_image KERNEL: prints the path of the kernel to boot
kernel_image() { [ "$1" = own ] && echo "$(own_dir)/vmlinuz" || echo "$(root_dir "$1")/vmlinuz"; }

# release_of IMAGE: prints the release of the kernel whose image has this path, such as
# 6.12.117+deb13-amd64. The path is /boot/vmlinuz-RELEASE or /usr/lib/modules/RELEASE/vmlinuz.
release_of() { sed -E 's,.*/modules/([^/]+)/vmlinuz$,\1,; s,.*/vmlinuz-,,' <<<"$1"; }
root_release() {
	if [ "$1" = own ]; then cat "$(own_dir)/release"; return; fi
	release_of "$(readlink -f "$(root_dir "$1")/vmlinuz")"
}

# kernel_build_dir KERNEL: prints the directory with the kernel's headers, for KDIR
kernel_build_dir() {
	if [ "$1" = own ]; then cat "$(own_dir)/headers"; return; fi
	echo "/lib/modules/$(root_release "$1")/build"
}

# make_image ROOT IMAGE: makes the file system image from which guests boot, read-only. It is much
# faster in a guest than 9p.
make_image() {
	local root=$1 img=$2 mb

	mb=$(du -sm "$root" | cut -f1)
	rm -f "$img"
	mke2fs -q -t ext4 -O ^has_journal -m 0 -N 200000 -d "$root" "$img" "$((mb * 5 / 4 + 200))M"
}

need_root() {
	[ "$(id -u)" = 0 ] ||
		die "needs root (it makes Debian roots with mmdebstrap, mounts and chroots):" \
			"run it as root or with sudo"
}

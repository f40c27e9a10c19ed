# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions for harness tests that install packages and build in a copy of the kernel's Debian root.

# shellcheck source=selftests/lib/ktap.sh
. "$(dirname "${BASH_SOURCE[0]}")/ktap.sh"

ROOT=${BLKLAT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/blklat}/roots/$VM_KERNEL
# The copy's files that differ from the root
CHANGES=$TMPDIR/changes
LOG=$TMPDIR/log
# Variables of the commands, as env takes them
ROOT_ENV=()

# in_root COMMAND: runs a shell command in the copy, which keeps what the command changes; its
# output is in $LOG
in_root() {
	mkdir -p "$TMPDIR/root" "$CHANGES" "$TMPDIR/work"
	# shellcheck disable=SC2016 # for the inner shell
	unshare --mount --propagation private sh -ec '
		dir=$1 root=$2 command=$3
		shift 3
		mount -t overlay overlay "$dir/root" \
			-o "lowerdir=$root,upperdir=$dir/changes,workdir=$dir/work"
		mount -t proc proc "$dir/root/proc"
		mount --rbind /dev "$dir/root/dev"
		cp /etc/resolv.conf "$dir/root/etc/resolv.conf"
		exec chroot "$dir/root" env -i HOME=/root LC_ALL=C.UTF-8 \
			DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@" \
			sh -ec "$command"
	' sh "$TMPDIR" "$ROOT" "$1" "${ROOT_ENV[@]}" >"$LOG" 2>&1
}

# done_in_root WHAT COMMAND: passes if the command succeeds in the copy
done_in_root() {
	if in_root "$2"; then ok "$1"; else not_ok "$1" "$(tail -n 20 "$LOG")"; fi
}

# begin_root: makes the copy. Skips the test if the copy cannot get packages from Debian.
begin_root() {
	case $VM_KERNEL in
	*-debug|own) skip_all "this test is for the kernels of Debian" ;;
	esac
	in_root true || bail "there is a copy of the root" "$(<"$LOG")"
	# Some kernels have no headers, and nothing can be built without headers.
	in_root 'test -e /lib/modules/*/build' || skip_all "there are no headers of this kernel"
	in_root 'apt-get -q -o APT::Update::Error-Mode=any update' ||
		skip_all "no packages from Debian: $(tail -n 1 "$LOG")"
}

# put_tree DIR: unpacks what git has at HEAD, as "make dist" packs it, as DIR of the copy, and sets
# TARBALL to the packed file
put_tree() {
	check "make dist" make --no-print-directory -C "$TREE" O="$TMPDIR" dist
	TARBALL=$(echo "$TMPDIR"/packages/blklat-*.tar.xz)
	mkdir -p "$CHANGES/$1"
	tar -C "$CHANGES/$1" --strip-components=1 -xf "$TARBALL" ||
		bail "the tarball can be unpacked"
}

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

# with_root COMMAND...: runs a command of this machine while the copy is mounted as $TMPDIR/root
with_root() {
	mkdir -p "$TMPDIR/root" "$CHANGES" "$TMPDIR/work"
	# shellcheck disable=SC2016 # for the inner shell
	unshare --mount --propagation private sh -ec '
		mount -t overlay overlay "$1/root" \
			-o "lowerdir=$2,upperdir=$1/changes,workdir=$1/work"
		shift 2
		exec "$@"
	' sh "$TMPDIR" "$ROOT" "$@" >"$LOG" 2>&1
}

# in_root COMMAND: runs a shell command in the copy, which keeps what the command changes; its
# output is in $LOG
in_root() {
	# shellcheck disable=SC2016 # for the inner shell
	with_root sh -ec '
		root=$1 command=$2
		shift 2
		mount -t proc proc "$root/proc"
		mount --rbind /dev "$root/dev"
		cp /etc/resolv.conf "$root/etc/resolv.conf"
		exec chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 \
			DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@" \
			sh -ec "$command"
	' sh "$TMPDIR/root" "$1" "${ROOT_ENV[@]}"
}

# image_of_root FILE: makes an image of the copy, from which vm/run can boot
image_of_root() {
	# shellcheck disable=SC2016 # for the inner shell
	with_root bash -ec '. "$1"; make_image "$2" "$3"' bash "$TREE/selftests/vm/lib.sh" \
		"$TMPDIR/root" "$1"
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

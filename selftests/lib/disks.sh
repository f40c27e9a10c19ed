# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions that find the disks that the VM was given and that make new disks with known
# behaviour. A test sources this file after ktap.sh. If the test's EXIT trap calls run_at_end, all
# that was made is removed when the test ends, the last first.

# at_end COMMAND...: has COMMAND run at the end of the test, before the commands of earlier calls
AT_END=()
at_end() { AT_END+=("$(printf '%q ' "$@")"); }

run_at_end() {
	local i out

	for ((i = ${#AT_END[@]} - 1; i >= 0; i--)); do
		out=$(eval "${AT_END[i]}" 2>&1) || diag "not undone: ${AT_END[i]}" "$out"
	done
	AT_END=()
}

# --- disks that the VM was given

# nvme_disk N, fdp_disk N, ahci_disk N: print the name of disk N (from 0) of that kind that the VM
# was given. The drivers probe disks asynchronously, so the names need not be in that order.
nvme_by_serial() {
	local f serial

	for f in /sys/block/nvme*n1/device/serial; do
		# The hidden disk of a path of a multipath disk (nvme0c0n1) has the same serial.
		case $f in */nvme*c*n1/*) continue ;; esac
		{ read -r serial <"$f"; } 2>/dev/null || continue
		f=${f%/device/serial}
		[ "$serial" != "$1" ] || echo "${f##*/}"
	done
}

nvme_disk() { nvme_by_serial "nvme$1"; }
fdp_disk() { nvme_by_serial "fdp$1"; }

# nvme_poll_queues DISK-NUMBER COUNT: gives this disk COUNT poll queues, and sets NVME to its
# name. The driver reads the number when it binds to the disk, so the disk is removed and comes
# back, maybe with another name. At the end of the test the number is 0 again.
nvme_poll_queues() {
	local d pci drv=/sys/bus/pci/drivers/nvme

	d=$(nvme_disk "$1")
	pci=$(basename "$(readlink -f "/sys/class/block/$d/device/device")")
	[ "$2" -eq 0 ] || at_end nvme_poll_queues "$1" 0
	echo "$2" >/sys/module/nvme/parameters/poll_queues
	echo "$pci" >$drv/unbind
	echo "$pci" >$drv/bind
	wait_for 20 nvme_is_back "$1" || bail "the disk comes back"
	# shellcheck disable=SC2034 # for tests
	NVME=$(nvme_disk "$1")
}

nvme_is_back() {
	local d

	d=$(nvme_disk "$1")
	[ -n "$d" ] && [ -b "/dev/$d" ]
}

ahci_disk() {
	local d

	for d in /sys/block/sd*; do
		readlink -f "$d"
	done | grep -E '/ata[0-9]+/' | sed -E 's|.*/ata([0-9]+)/.*/|\1 |' | sort -n |
		sed -n "$(($1 + 1))s/.* //p"
}

# scsi_disk N: prints the name of disk N (from 0) of virtio-scsi
scsi_disk() {
	local d

	for d in /sys/block/sd*; do
		readlink -f "$d"
	done | sed -nE 's|.*/virtio[0-9]+/.*/target[0-9]+:0:([0-9]+)/.*/(.*)|\1 \2|p' | sort -n |
		sed -n "$(($1 + 1))s/.* //p"
}

# --- null_blk, brd, scsi_debug

NULLB_CFG=/sys/kernel/config/nullb
NULLB_COUNT=0

# nullb_new [ATTRIBUTE=VALUE]...: sets NULLB to the name of a new null_blk device
nullb_new() {
	local item=nullb_test$((NULLB_COUNT += 1)) a

	[ -d /sys/module/null_blk ] || modprobe null_blk nr_devices=0 || bail "null_blk loads"
	[ -d "$NULLB_CFG" ] || mount -t configfs configfs /sys/kernel/config
	mkdir "$NULLB_CFG/$item" || bail "null_blk makes a device"
	at_end nullb_free "$item"
	for a in size=256 blocksize=512 poll_queues=0 "$@" power=1; do
		# Kernels up to 6.1 do not have poll_queues.
		[ -e "$NULLB_CFG/$item/${a%%=*}" ] || continue
		echo "${a#*=}" >"$NULLB_CFG/$item/${a%%=*}" || bail "null_blk takes $a"
	done
	NULLB=$item
	[ -e "/sys/block/$item" ] || NULLB=nullb$(<"$NULLB_CFG/$item/index")
	wait_for 5 test -b "/dev/$NULLB" || bail "/dev/$NULLB appears"
}

nullb_free() {
	echo 0 >"$NULLB_CFG/$1/power"
	rmdir "$NULLB_CFG/$1"
}

# Debian's kernels for arm64 have no scsi_debug. On other machines it must be there.
has_scsi_debug() { [ "$(uname -m)" != aarch64 ] || modprobe -nq scsi_debug; }

# brd_new: sets BRD to the name of a new brd disk, which handles bios without requests
brd_new() {
	BRD=ram0
	if ! modprobe brd rd_nr=1 rd_size=65536 || ! wait_for 5 test -b /dev/$BRD; then
		bail "brd makes a disk"
	fi
	at_end modprobe -qr brd
}

# zram_new SIZE: sets ZRAM to the name of a new zram disk, which handles bios without requests,
# too
zram_new() {
	modprobe -q lzo-rle
	modprobe zram num_devices=1 || return 1
	ZRAM=zram0
	at_end modprobe -qr zram
	echo "$1" >/sys/block/$ZRAM/disksize && wait_for 5 test -b /dev/$ZRAM
}

# loop_over FILE [OPTION]...: sets LOOP to the name of a loop device over a file or a block device
loop_over() {
	modprobe -q loop
	LOOP=$(losetup --show --find "$@") || return 1
	LOOP=${LOOP#/dev/}
	at_end losetup -d "/dev/$LOOP"
}

# loop_new SIZE: sets LOOP to the name of a loop device over a file in memory
loop_new() {
	local file

	file=$(mktemp "$TMPDIR/loop.XXXXXX")
	truncate -s "$1" "$file"
	loop_over "$file"
}

# Prints the names of all scsi_debug disks.
scsi_debug_disks() {
	local d

	for d in /sys/bus/pseudo/devices/adapter*/host*/target*/*:*/block/*; do
		[ ! -b "/dev/${d##*/}" ] || echo "${d##*/}"
	done | sort -V
}

# scsi_debug_new [PARAMETER=VALUE]...: loads scsi_debug anew and sets SDEBUG to the name of its
# only disk. With add_host=2 this disk appears twice, as SDEBUG and SDEBUG2: they are two paths to
# one disk.
scsi_debug_new() {
	local want=1 disks

	modprobe -r scsi_debug 2>/dev/null
	modprobe sd_mod
	case " $* " in *' add_host=2 '*) want=2 ;; esac
	modprobe scsi_debug dev_size_mb=64 "$@" || return 1
	at_end modprobe -qr scsi_debug
	for _ in {1..100}; do
		mapfile -t disks < <(scsi_debug_disks)
		if [ "${#disks[@]}" -eq $want ]; then
			# shellcheck disable=SC2034 # for tests
			SDEBUG=${disks[0]} SDEBUG2=${disks[1]-}
			return 0
		fi
		sleep 0.05
	done
	return 1
}

# --- counters

# has_read DISK COUNT: returns true if the disk has done more than COUNT reads. DISK may be a
# pattern: then it is enough if one of the matching disks has done so many.
has_read() {
	local n stat

	for stat in /sys/block/$1/stat; do
		read -r n _ <"$stat" && [ "$n" -gt "$2" ] && return
	done
}

# stat_of DEV FIELD...: prints the sum of these fields of a disk's or partition's stat file. FIELD
# is a number: 1 reads, 2 read merges, 3 sectors read, 5 writes, 6 write merges, 7 sectors
# written, 12 discards, 13 discard merges, 14 sectors discarded, 16 flushes.
stat_of() {
	local f sum=0 v file=/sys/class/block/$1/stat

	shift
	read -ra v <"$file"
	for f in "$@"; do sum=$((sum + v[f - 1])); done
	echo "$sum"
}

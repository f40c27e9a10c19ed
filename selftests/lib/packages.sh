# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by the tests of packages, in a root of Debian and in a guest.

# our_files: prints the files of the system that belong to blklat and blkgen
our_files() {
	find / -xdev \( -name "*blkgen*" -o -name "*blklat*" \) -not -path "/packages/*" \
		-not -path "/proc/*" -not -path "/var/cache/*" -not -path "/var/log/*" | sort
}

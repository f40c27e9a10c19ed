# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by ktap.sh and by the runner's part in a guest.

# is_running PID: true until the process has ended. A zombie counts as ended: bash in a guest
# sometimes does not notice the end of a background job, and kill -0 then still succeeds.
is_running() {
	local stat

	{ read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
	case ${stat##*) } in [ZX]*) return 1 ;; esac
}

# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions that find out where Debian packages come from. Sourced after lib.sh.

# apt_mirror main|security: prints the URL of the Debian archive that this machine's apt uses, or
# nothing if none is configured.
apt_mirror() {
	apt-get indextargets \
		--format '$(CREATED_BY)|$(COMPONENT)|$(ORIGIN)|$(RELEASE)|$(REPO_URI)' 2>/dev/null |
	awk -F'|' -v want="$1" '
		$1 != "Packages" || $2 != "main" || $3 != "Debian" || $5 !~ /^https?:/ { next }
		{ kind = $4 ~ /-security$/ ? "security" : "main" }
		kind == want && !seen++ { print $5 }'
}

# sources SUITE OTHER: prints a sources.list of a suite, and of the suite OTHER (if it is not '')
# from which the kernel comes. Prints nothing if this machine has no mirror: mmdebstrap then takes
# its default.
sources() {
	local suite=$1 other=$2 main security

	main=$(apt_mirror main)
	security=$(apt_mirror security)
	[ -n "$main" ] || return 0
	echo "deb $main $suite main"
	[ -z "$other" ] || echo "deb $main $other main"
	case $suite in
	sid|unstable|experimental) return ;;
	esac
	echo "deb $main $suite-updates main"
	[ -z "$security" ] || echo "deb $security $suite-security main"
}

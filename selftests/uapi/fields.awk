# SPDX-License-Identifier: GPL-2.0
# Prints the fields of the structs of kmod/uapi/blkgen.h, and the errors that each struct's ioctl
# may return by its description: FIELD(struct, field) and ERROR(struct, errno). Errors of every
# ioctl belong to the struct "every".

function errors(of, text) {
	while (match(text, /-E[A-Z0-9]+/)) {
		if (of != "")
			print "ERROR(" of ", " substr(text, RSTART + 1, RLENGTH - 1) ")"
		text = substr(text, RSTART + RLENGTH)
	}
}

/^ \* Errors of every ioctl/ { described = "every" }
/^ \* struct blkgen_[a-z_]+ - / { described = $3 }
/^ \*\// { described = in_errors = "" }
/^ \* Errors/ { in_errors = 1 }
in_errors && /^ \*  *-E/ { errors(described, $2 " " $3) }

/^struct blkgen_[a-z_]+ \{/ { inside = $2 }
/^\};/ { inside = "" }
inside && /;/ {
	name = $NF
	for (i = 2; i <= NF; i++) {
		if ($i ~ /;/) {
			name = $i
			break
		}
	}
	sub(/[\[;].*/, "", name)
	print "FIELD(" inside ", " name ")"
}

# SPDX-License-Identifier: GPL-2.0
# bash asks the programs themselves what may stand at the cursor. Where they know nothing, it offers
# files.
_blklat() {
	local IFS=$'\n'

	COMPREPLY=($(COMP_LINE=$COMP_LINE COMP_POINT=$COMP_POINT "$1" --complete "$2" 2>/dev/null))
	[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
}
complete -o default -F _blklat blklat blkgen

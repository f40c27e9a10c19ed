#compdef blklat blkgen
# SPDX-License-Identifier: GPL-2.0
# zsh asks the programs themselves what may stand at the cursor. Where they know nothing, it offers
# files.
local line="${(j: :)words[1,CURRENT-1]} $PREFIX"
local -a found
compset -P '*='
found=(${(f)"$(COMP_LINE=$line COMP_POINT=${#line} ${(Q)words[1]} --complete 2>/dev/null)"})
if (( $#found )); then
	local ret=1
	compadd -- ${found:#*=} && ret=0
	# The value follows at once.
	compadd -S '' -- ${(M)found:#*=} && ret=0
	return ret
else
	_files
fi

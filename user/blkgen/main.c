// SPDX-License-Identifier: GPL-2.0
/* Run the sub-commands of blkgen, which makes block I/O load inside the kernel. */
#include <locale.h>
#include "blkgen/cmds.h"
#include "core/program.h"
#include "output/document.h"

static const struct cmd *const cmds[] = {
	&cmd_load,
	&cmd_log,
	NULL
};

static const struct program prog = {
	.name = "blkgen",
	.version = BLKLAT_VERSION,
	.built_with = BLKLAT_BUILT_WITH,
	.about = "block I/O load made inside the kernel",
	.cmds = cmds,
	.error_doc = report_error_doc,
};

int main(int argc, char **argv)
{
	setlocale(LC_CTYPE, "");
	return program_main(&prog, argc, argv);
}

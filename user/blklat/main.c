// SPDX-License-Identifier: GPL-2.0
/* blklat: show where the time of block I/O goes. */
#include <locale.h>
#include "blklat/cmds.h"
#include "core/program.h"
#include "output/document.h"

static const struct cmd *const cmds[] = {
	&cmd_trace, &cmd_record, &cmd_compare, &cmd_diff, &cmd_report, &cmd_top, &cmd_stuck,
	&cmd_probe, &cmd_topo, NULL
};

static const struct program blklat = {
	.name = "blklat",
	.version = BLKLAT_VERSION,
	.built_with = BLKLAT_BUILT_WITH,
	.about = "Splits the latency of block I/O into app, kernel, driver and device.",
	.cmds = cmds,
	.error_doc = report_error_doc,
};

int main(int argc, char **argv)
{
	setlocale(LC_CTYPE, "");
	return program_main(&blklat, argc, argv);
}

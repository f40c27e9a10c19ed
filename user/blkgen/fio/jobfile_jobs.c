// SPDX-License-Identifier: GPL-2.0
/* Keep the texts of a job file's jobs, and free the jobs. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/fio/jobfile_jobs.h"

char *jobfile_text(struct jobfile *jf, const char *fmt, ...)
{
	char **all = realloc(jf->strings, (jf->nstrings + 1) * sizeof(*all));
	char *text = NULL;
	va_list ap;

	if (all) {
		jf->strings = all;
		va_start(ap, fmt);
		if (vasprintf(&text, fmt, ap) < 0)
			text = NULL;
		va_end(ap);
	}
	if (!text) {
		err(-ENOMEM, "out of memory");
		return NULL;
	}
	jf->strings[jf->nstrings++] = text;
	return text;
}

void jobfile_free(struct jobfile *jf)
{
	size_t i;

	for (i = 0; i < jf->njobs; i++) {
		free(jf->jobs[i].devices);
		free(jf->jobs[i].opts);
	}
	for (i = 0; i < jf->nstrings; i++)
		free(jf->strings[i]);
	free(jf->strings);
	free(jf->notes);
	free(jf->jobs);
	memset(jf, 0, sizeof(*jf));
}

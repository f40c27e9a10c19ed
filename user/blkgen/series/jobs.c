// SPDX-License-Identifier: GPL-2.0
/* Make a series of loads from the fio job file of --job. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/target.h"
#include "blkgen/series/jobs.h"
#include "core/log.h"

/* The user may give these options together with --job. The file sets all other options. */
static const char *const beside[] = {
	"job", "write", "force-signature", "json", "csv", "log", "interval", "hist", "per", "stall",
	"color", "verbose", "quiet", NULL
};

static int check_beside(const struct opt_args *args)
{
	const struct opt *o;
	size_t i;

	for (o = args->cmd->opts; o->type != OPT_END; o++) {
		for (i = 0; o->name && beside[i] && strcmp(beside[i], o->name); i++)
			;
		if (o->name && !beside[i] && opt_seen(args, o->name))
			return usage_error("--%s cannot be used with --job: the job file describes "
					   "the whole load", o->name);
	}
	return 0;
}

/*
 * Return "path:line: [name]: " to put before a message about the job @from. The line is that of the
 * first option in the message that the job sets, or else that of the job's section.
 */
static const char *where(const void *from, const char *message)
{
	const struct job *j = from;
	const char *p = message;
	unsigned int line = 0;
	static char text[600];
	size_t i;

	while (!line && (p = strstr(p, "--"))) {
		size_t len = strcspn(p += 2, " ,:=;");

		for (i = 0; i < j->nopts; i++)
			if (strlen(j->opts[i].opt) == len && !strncmp(j->opts[i].opt, p, len))
				line = j->opts[i].line;
	}
	snprintf(text, sizeof(text), "%s:%u: [%s]: ", j->path, line ? line : j->line, j->name);
	return text;
}

static int set_option(const struct load *l, const struct cmd *cmd, struct load_cfg *c,
		      const struct job_opt *o, size_t dev)
{
	const struct device *d = &l->devs[dev].dev;
	unsigned __int128 part;
	size_t len = o->value ? strlen(o->value) : 0;

	if (strcmp(o->opt, "bytes") || !len || o->value[len - 1] != '%')
		return opt_set(cmd, c, o->opt, o->value ? o->value : "yes");
	/*
	 * N% is a part of the device after --offset. The table in jobfile_keys.c makes --offset
	 * before --bytes, so the offset is known here.
	 */
	part = d->size > c->set.offset ? d->size - c->set.offset : 0;
	part = part * strtoull(o->value, NULL, 10) / 100;
	if (part > UINT64_MAX)
		return usage_error("--bytes %s of %s is too large", o->value, d->name);
	c->set.bytes = part;
	return 0;
}

static int add_job(struct load *l, const struct cmd *cmd, struct load_step *st, const struct job *j)
{
	size_t i, k, dev;
	int ret = 0;

	for (i = 0; i < j->ndevices && ret >= 0; i++) {
		struct load_cfg c = *l->cfg;
		struct load_job *lj;

		c.first_cpu = j->thread;
		ret = load_device_add(l, j->devices[i], &dev);
		for (k = 0; k < j->nopts && ret >= 0; k++)
			ret = set_option(l, cmd, &c, &j->opts[k], dev);
		if (ret >= 0 && load_changes(&c) && !c.write)
			ret = usage_error("this job destroys the data on %s; give --write if you "
					  "want that", l->devs[dev].dev.name);
		if (ret < 0)
			break;
		lj = load_step_add(st, j->name, &c, &dev, 1);
		if (!lj)
			ret = -ENOMEM;
		else
			lj->from = j;
	}
	return ret < 0 ? ret : 0;
}

static int add_group(struct load *l, const struct cmd *cmd, struct load_series *s,
		     const struct jobfile *jf, size_t *i)
{
	unsigned int group = jf->jobs[*i].group;
	struct load_step *st;
	char name[40];
	int ret = 0;

	snprintf(name, sizeof(name), "group %u", group + 1);
	st = load_series_add(s, name);
	if (!st)
		return -ENOMEM;
	for (; *i < jf->njobs && jf->jobs[*i].group == group && !ret; ++*i) {
		log_where(where, &jf->jobs[*i]);
		ret = add_job(l, cmd, st, &jf->jobs[*i]);
		log_where(NULL, NULL);
	}
	return ret;
}

int load_jobs(struct load *l, struct load_series *s, struct opt_args *args, struct jobfile *jf)
{
	const char *path = l->cfg->job;
	char *text;
	size_t i;
	int ret = check_beside(args);

	if (ret)
		return ret;
	text = jobfile_read(path);
	if (!text)
		return -ENOENT;
	jf->devices = args->pos;
	jf->ndevices = args->npos;
	ret = jobfile_parse(path, text, jf);
	free(text);
	for (i = 0; i < jf->nnotes && !ret; i++)
		info("%s", jf->notes[i]);
	s->where = where;
	s->loads_named = true;
	for (i = 0; i < jf->njobs && !ret; )
		ret = add_group(l, args->cmd, s, jf, &i);
	return ret;
}

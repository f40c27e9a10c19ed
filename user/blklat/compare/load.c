// SPDX-License-Identifier: GPL-2.0
/* Parse and run the load of a comparison: blkgen, or a command of the user. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "blklat/compare/child.h"
#include "blklat/compare/cpu.h"
#include "blklat/compare/load.h"
#include "blklat/compare/pin.h"
#include "output/histlog.h"
#include "output/json.h"

#define LOAD_ARGS	200
/*
 * The warm-up is long enough for caches, wbt and the pages of blkgen's module to settle. If a
 * turn is shorter, the warm-up takes as long as a turn.
 */
#define WARMUP_NS	200000000ull

static bool is_option(const char *arg, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(arg, name, len) && (!arg[len] || arg[len] == '=');
}

static bool has_option(const struct compare_load *l, const char *const *names)
{
	for (; *names; names++)
		for (size_t i = 0; i < l->nargs; i++)
			if (is_option(l->args[i], *names) ||
			    ((*names)[1] != '-' && !strncmp(l->args[i], *names, 2)))
				return true;
	return false;
}

/*
 * Terminate the word at @p and remove its quotes in place. Return the text after the word, or
 * NULL if a quote is not closed.
 */
static char *next_word(char *p)
{
	char *to = p, quote = 0;

	for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
		if (quote ? *p == quote : *p == '\'' || *p == '"')
			quote = quote ? 0 : *p;
		else
			*to++ = *p;
	}
	if (quote)
		return NULL;
	if (*p)
		p++;
	*to = 0;
	return p;
}

static int split_words(struct compare_load *l, const char *text)
{
	char *p;

	l->text = strdup(text);
	l->args = calloc(LOAD_ARGS + 1, sizeof(*l->args));
	if (!l->text || !l->args)
		return err(-ENOMEM, "out of memory");
	for (p = l->text + strspn(l->text, " \t\n"); *p; p += strspn(p, " \t\n")) {
		if (l->nargs == LOAD_ARGS)
			return usage_error("--load has more than %d words", LOAD_ARGS);
		l->args[l->nargs++] = p;
		p = next_word(p);
		if (!p)
			return usage_error("--load: a quote is not closed");
	}
	return 0;
}

/*
 * Return true if a word names a device. blkgen's result would show the device too, but only after
 * the load has run on it.
 */
static bool names_device(const char *word)
{
	char path[300];

	if (!strncmp(word, "/dev/", 5))
		return true;
	snprintf(path, sizeof(path), "/sys/class/block/%s", word);
	return *word && !strchr(word, '/') && *word != '.' && !access(path, F_OK);
}

#define ONE_LOAD	"a comparison runs one load"
#define BLKLATS_OWN	"blklat decides about the output of blkgen"

/* Refuse options that make more than one load, and options that blklat sets itself. */
static int check_words(const struct compare_load *l)
{
	static const struct {
		const char *option, *why;
	} bad[] = {
		{ "--sweep", ONE_LOAD }, { "--scenario", ONE_LOAD }, { "--job", ONE_LOAD },
		{ "--steady", ONE_LOAD }, { "--target-latency", ONE_LOAD },
		{ "--ramp", "each device has a turn before the rounds that does not count" },
		{ "--seed", "give --seed to blklat compare" }, { "--json", BLKLATS_OWN },
		{ "--csv", BLKLATS_OWN }, { "--log", BLKLATS_OWN }, { "--interval", BLKLATS_OWN },
		{ "--help", "see blkgen load --help" },
		{ "-h", "see blkgen load --help" }, { "--verbose", BLKLATS_OWN },
		{ "-v", BLKLATS_OWN },
	};

	for (size_t i = 0; i < l->nargs; i++) {
		for (size_t k = 0; k < sizeof(bad) / sizeof(*bad); k++)
			if (is_option(l->args[i], bad[k].option))
				return usage_error("--load: %s: %s", l->args[i], bad[k].why);
		if (names_device(l->args[i]))
			return usage_error("--load must not name a device (%s): the load runs on "
					   "the compared devices", l->args[i]);
	}
	return 0;
}

/*
 * Find the blkgen that was built with this blklat: both are in the same directory. Otherwise
 * leave the search in PATH to execvp().
 */
static void find_blkgen(struct compare_load *l)
{
	ssize_t n = readlink("/proc/self/exe", l->path, sizeof(l->path) - 8);
	char *slash;

	l->path[n > 0 ? n : 0] = 0;
	slash = strrchr(l->path, '/');
	if (slash) {
		strcpy(slash + 1, "blkgen");
		if (!access(l->path, X_OK))
			return;
	}
	strcpy(l->path, "blkgen");
}

static int parse_blkgen(struct compare *c)
{
	static const char *const ends[] = {
		"--time", "-t", "--ios", "-n", "--bytes", "--pass", NULL
	};
	static const char *const where[] = { "--size", "--offset", NULL };
	struct compare_load *l = &c->load;
	unsigned int lbs = 512;
	int ret = split_words(l, c->cfg->load);

	if (!ret)
		ret = check_words(l);
	if (ret)
		return ret;
	l->blkgen = true;
	l->timed = has_option(l, ends);
	l->size = UINT64_MAX;
	for (size_t i = 0; i < c->n; i++) {
		lbs = c->devs[i].logical_bs > lbs ? c->devs[i].logical_bs : lbs;
		if (c->devs[i].size < l->size)
			l->size = c->devs[i].size;
	}
	/* With --allow block-size, the smallest size may be no multiple of each block size. */
	l->size -= l->size % lbs;
	if (has_option(l, where))
		l->size = 0;
	find_blkgen(l);
	return 0;
}

int compare_load_parse(struct compare *c, char **rest)
{
	struct compare_load *l = &c->load;
	bool named = false;

	if (!rest)
		return parse_blkgen(c);
	while (rest[l->nargs])
		named |= strstr(rest[l->nargs++], "{}") != NULL;
	if (!named)
		return usage_error("the command must contain {}, which stands for the device");
	l->args = calloc(l->nargs + 1, sizeof(*l->args));
	if (!l->args)
		return err(-ENOMEM, "out of memory");
	memcpy(l->args, rest, l->nargs * sizeof(*rest));
	return 0;
}

void compare_load_free(struct compare_load *l)
{
	free(l->args);
	free(l->text);
}

static int read_latency(int fd, struct hist *h)
{
	struct histlog lg = { 0 };
	struct histlog_entry e;
	char path[40];
	int ret;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ret = histlog_open(&lg, path);
	while (!ret && (ret = histlog_read(&lg, &e)) > 0) {
		if (!e.service && strcmp(e.op, "flush"))
			hist_merge_coarser(h, e.hist);
		ret = 0;
	}
	histlog_close(&lg);
	return ret;
}

static int read_result(struct compare *c, const struct compare_visit *v, int fd,
		       struct result_sample *s)
{
	json_object *doc, *list, *d;
	uint64_t errors;
	int ret = 0;

	lseek(fd, 0, SEEK_SET);
	doc = json_object_from_fd(fd);
	list = doc_get(doc, "devices");
	d = doc_len(list) == 1 ? doc_at(list, 0) : NULL;
	if (!d) {
		ret = usage_error("--load must not name a device: the load runs on the compared "
				  "devices");
		goto out;
	}
	s->ios = doc_u64(d, "ios");
	s->bytes = doc_u64(d, "bytes");
	s->elapsed_ns = doc_u64(d, "elapsed_ns");
	s->cpu_ns = doc_u64(d, "cpu_ns");
	errors = doc_u64(doc_get(d, "errors"), "total");
	if (errors)
		ret = err(-EIO, "%s: %llu I/Os failed", c->res.devs[v->dev].label,
			  (unsigned long long)errors);
	else if (!v->warmup && (!s->ios || !s->elapsed_ns))
		ret = err(-EIO, "%s: the load ended before it did any I/O",
			  c->res.devs[v->dev].label);
out:
	json_object_put(doc);
	return ret;
}

static int failed(struct compare *c, const struct compare_visit *v, int status)
{
	if (status < 0)
		return status;
	c->status = status;
	return err(-ECHILD, "the load failed on %s with exit status %d",
		   c->res.devs[v->dev].label, status);
}

static int run_blkgen(struct compare *c, const struct compare_visit *v, int out, int log,
		      void (*tick)(struct compare *c), uint64_t *cpu_ns)
{
	const struct compare_load *l = &c->load;
	uint64_t warmup_ns = c->cfg->time < WARMUP_NS ? c->cfg->time : WARMUP_NS;
	char time[32], warmup[32], seed[32], size[32], file[40];
	const char *argv[LOAD_ARGS + 24];
	size_t n = 0;

	snprintf(time, sizeof(time), "--time=%lluns", (unsigned long long)v->time_ns);
	snprintf(warmup, sizeof(warmup), "--time=%lluns", (unsigned long long)warmup_ns);
	snprintf(seed, sizeof(seed), "--seed=%llu", (unsigned long long)c->cfg->seed + v->round);
	snprintf(size, sizeof(size), "--size=%llu", (unsigned long long)l->size);
	snprintf(file, sizeof(file), "--log=/proc/self/fd/%d", log);
	argv[n++] = l->path;
	argv[n++] = "load";
	/*
	 * blkgen takes the last value of an option. Options that the user may override come
	 * before the user's words, all others after them.
	 */
	if (!l->timed)
		argv[n++] = time;
	if (l->size)
		argv[n++] = size;
	for (size_t i = 0; i < l->nargs; i++)
		argv[n++] = l->args[i];
	if (v->warmup)
		argv[n++] = warmup;
	argv[n++] = "--quiet";
	argv[n++] = "--json=-";
	argv[n++] = file;
	argv[n++] = seed;
	argv[n++] = c->devs[v->dev].path;
	argv[n] = NULL;
	return compare_child(c, argv, out, log, tick, cpu_ns);
}

static int load_blkgen(struct compare *c, const struct compare_visit *v,
		       void (*tick)(struct compare *c), struct result_sample *s)
{
	/* A memfd leaves no file behind, however blklat ends. */
	int out = memfd_create("result", MFD_CLOEXEC), log = memfd_create("log", MFD_CLOEXEC), ret;
	struct compare_cpu *cpu;
	uint64_t own;

	if (out < 0 || log < 0) {
		ret = err(-errno, "memfd_create: %s", strerror(errno));
		goto out;
	}
	cpu = compare_cpu_begin();
	ret = run_blkgen(c, v, out, log, tick, &own);
	own = compare_cpu_end(cpu);
	if (ret) {
		ret = failed(c, v, ret);
		goto out;
	}
	ret = read_result(c, v, out, s);
	if (!ret)
		ret = read_latency(log, &s->total);
	s->cpu_ns = s->ios ? (s->cpu_ns + own) / s->ios : NAN;
out:
	if (out >= 0)
		close(out);
	if (log >= 0)
		close(log);
	return ret;
}

/* Return a copy of @word with each {} replaced by @dev, or NULL without memory. */
static char *fill_in(const char *word, const char *dev)
{
	size_t len = strlen(word) + 1, more = strlen(dev);
	const char *at;
	char *s, *to;

	for (at = word; (at = strstr(at, "{}")); at += 2)
		len += more;
	s = to = malloc(len);
	while (s && (at = strstr(word, "{}"))) {
		to += sprintf(to, "%.*s%s", (int)(at - word), word, dev);
		word = at + 2;
	}
	if (s)
		strcpy(to, word);
	return s;
}

static int run_command(struct compare *c, const struct compare_visit *v,
		       void (*tick)(struct compare *c), uint64_t *cpu_ns)
{
	const struct compare_load *l = &c->load;
	char **argv = calloc(l->nargs + 1, sizeof(*argv));
	int ret = argv ? 0 : -ENOMEM;

	for (size_t i = 0; i < l->nargs && !ret; i++) {
		argv[i] = fill_in(l->args[i], c->devs[v->dev].path);
		ret = argv[i] ? 0 : -ENOMEM;
	}
	if (ret)
		err(ret, "out of memory");
	else
		ret = compare_child(c, (const char *const *)argv,
				    log_level() >= 2 ? STDERR_FILENO : -1, -1, tick, cpu_ns);
	for (size_t i = 0; argv && i < l->nargs; i++)
		free(argv[i]);
	free(argv);
	return ret;
}

/*
 * Read the I/Os and bytes of reads, writes and discards from the disk statistics. Flushes are not
 * among them: the statistics count flushes apart. I/Os that were merged into a request count too,
 * because layers count bios.
 */
static void read_stat(const struct device *d, uint64_t *ios, uint64_t *bytes)
{
	uint64_t f[17] = { 0 };

	sys_nums(d->sys, "stat", f, 17);
	*ios = f[0] + f[1] + f[4] + f[5] + f[11] + f[12];
	*bytes = (f[2] + f[6] + f[13]) * 512;
}

static int load_command(struct compare *c, const struct compare_visit *v,
			void (*tick)(struct compare *c), struct result_sample *s)
{
	const struct device *d = &c->devs[v->dev];
	unsigned long long start;
	struct compare_cpu *cpu;
	uint64_t ios, bytes, own, kernel;
	int ret;

	read_stat(d, &ios, &bytes);
	cpu = compare_cpu_begin();
	start = now_ns();
	ret = run_command(c, v, tick, &own);
	s->elapsed_ns = now_ns() - start;
	kernel = compare_cpu_end(cpu);
	if (ret)
		return failed(c, v, ret);
	read_stat(d, &s->ios, &s->bytes);
	s->ios -= ios;
	s->bytes -= bytes;
	if (!s->ios)
		return err(-EIO, "%s: the command did no I/O on this device, or the kernel does "
			   "not count its I/O (queue/iostats)", c->res.devs[v->dev].label);
	s->cpu_ns = (double)(own + kernel) / s->ios;
	return 0;
}

int compare_load_run(struct compare *c, const struct compare_visit *v,
		     void (*tick)(struct compare *c), struct result_sample *s)
{
	return c->load.blkgen ? load_blkgen(c, v, tick, s) : load_command(c, v, tick, s);
}

/*
 * Members of the JSON object "compared load":
 * @with: string: ``blkgen`` or ``command``.
 * @args: array of string: The options of blkgen load, or the command, in which ``{}`` stands for
 *	the device.
 * @rounds: integer: Number of untraced and of traced rounds that the user asked for.
 * @seed: integer: Seed of the order of the turns. The seed of the load in round *i* is this + *i*.
 * @time_ns: integer, optional: Length of each untraced turn; a traced turn may be shorter. Absent
 *	if ``args`` say when the load ends, and for a command.
 * @size: integer, optional: Bytes at the start of each device that the load used. Absent if
 *	``args`` set the range, and for a command.
 * @pinned: pinned: Properties that are the same for all devices.
 */
json_object *compare_load_json(const struct compare *c)
{
	const struct compare_load *l = &c->load;
	json_object *o = json_object_new_object(), *args = json_object_new_array();

	json_str(o, "with", l->blkgen ? "blkgen" : "command");
	for (size_t i = 0; i < l->nargs; i++)
		json_object_array_add(args, json_text(l->args[i]));
	json_object_object_add(o, "args", args);
	json_u64(o, "rounds", c->cfg->rounds);
	json_u64(o, "seed", c->cfg->seed);
	if (l->blkgen && !l->timed)
		json_u64(o, "time_ns", c->cfg->time);
	if (l->blkgen && l->size)
		json_u64(o, "size", l->size);
	json_object_object_add(o, "pinned", compare_pin_json(c));
	return o;
}

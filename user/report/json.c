// SPDX-License-Identifier: GPL-2.0
/* JSON: documents, latency objects, tables. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "core/log.h"
#include "report/table.h"

/*
 * Device strings (model, serial) and command lines are bytes, JSON strings are
 * UTF-8: a bad byte would make the whole document invalid, so it becomes '?'.
 */
static size_t utf8_len(const unsigned char *s)
{
	size_t n = *s < 0x80 ? 1 : *s >= 0xc2 && *s < 0xe0 ? 2 :
		   *s >= 0xe0 && *s < 0xf0 ? 3 : *s >= 0xf0 && *s < 0xf5 ? 4 : 0;
	size_t i;

	for (i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* Overlong forms, surrogates and what is above U+10FFFF. */
	if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] >= 0xa0) ||
	    (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] >= 0x90))
		return 0;
	return n;
}

static json_object *new_str(const char *s)
{
	char *copy = strdup(s);
	json_object *o;
	char *p;

	if (!copy)
		return NULL;
	for (p = copy; *p;) {
		size_t n = utf8_len((unsigned char *)p);

		if (!n)
			*p = '?';
		p += n ? n : 1;
	}
	o = json_object_new_string(copy);
	free(copy);
	return o;
}

/* json-c prints NaN and Infinity as such, which is not JSON. */
static json_object *new_real(double v)
{
	char text[40];

	if (!isfinite(v))
		return NULL;
	snprintf(text, sizeof(text), "%.12g", v);
	/* A real stays a real for readers with types. */
	if (!strpbrk(text, ".e"))
		strcat(text, ".0");
	return json_object_new_double_s(v, text);
}

void json_str(json_object *o, const char *key, const char *s)
{
	json_object_object_add(o, key, s ? new_str(s) : NULL);
}

void json_u64(json_object *o, const char *key, uint64_t v)
{
	json_object_object_add(o, key, json_object_new_uint64(v));
}

void json_real(json_object *o, const char *key, double v)
{
	json_object_object_add(o, key, new_real(v));
}

void json_flag(json_object *o, const char *key, bool v)
{
	json_object_object_add(o, key, json_object_new_boolean(v));
}

json_object *report_doc_new(const char *tool, char *const *argv)
{
	json_object *doc = json_object_new_object();
	json_object *args = json_object_new_array(), *k = json_object_new_object();
	struct utsname u;
	char schema[40];

	snprintf(schema, sizeof(schema), "%s/%d", tool, REPORT_SCHEMA);
	json_str(doc, "schema", schema);
	for (; argv && *argv; argv++)
		json_object_array_add(args, new_str(*argv));
	json_object_object_add(doc, "command", args);
	if (!uname(&u)) {
		json_str(k, "release", u.release);
		json_str(k, "version", u.version);
		json_str(k, "machine", u.machine);
	}
	json_object_object_add(doc, "kernel", k);
	json_object_object_add(doc, "error", NULL);
	return doc;
}

void report_doc_error(json_object *doc, const char *text)
{
	json_str(doc, "error", text && *text ? text : "failed");
}

static int put_all(int fd, const char *s)
{
	size_t left = strlen(s);

	while (left) {
		ssize_t n = write(fd, s, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		s += n;
		left -= n;
	}
	return 0;
}

static int write_file(const char *text, const char *path)
{
	mode_t mask = umask(0);
	char tmp[PATH_MAX];
	struct stat st;
	int fd, ret;

	umask(mask);
	/* Devices and pipes (/dev/stderr) cannot be renamed over. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		ret = put_all(fd, text);
		close(fd);
		return ret;
	}
	if (snprintf(tmp, sizeof(tmp), "%s.XXXXXX", path) >= (int)sizeof(tmp))
		return -ENAMETOOLONG;
	fd = mkostemp(tmp, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = put_all(fd, text);
	if (!ret && fchmod(fd, 0666 & ~mask))
		ret = -errno;
	if (close(fd) && !ret)
		ret = -errno;
	if (!ret && rename(tmp, path))
		ret = -errno;
	if (ret)
		unlink(tmp);
	return ret;
}

static bool doc_written;

int report_doc_write(json_object *doc, const char *path)
{
	const char *text = json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PRETTY |
							  JSON_C_TO_STRING_NOSLASHESCAPE);
	int ret;

	if (!text)
		return err(-ENOMEM, "out of memory");
	if (!strcmp(path, "-")) {
		ret = fflush(stdout) ? -errno : put_all(STDOUT_FILENO, text);
		if (!ret)
			ret = put_all(STDOUT_FILENO, "\n");
	} else {
		ret = write_file(text, path);
	}
	if (ret)
		return err(ret, "%s: cannot write: %s", path, strerror(-ret));
	doc_written = true;
	return 0;
}

int report_usage_doc(const char *tool, const char *path, char *const *argv)
{
	json_object *doc;
	int ret;

	if (doc_written)
		return 0;
	doc = report_doc_new(tool, argv);
	report_doc_error(doc, log_last_error());
	ret = report_doc_write(doc, path);
	json_object_put(doc);
	return ret;
}

json_object *report_latency(json_object *obj, const struct hist *h)
{
	const struct percentile *p;
	json_object *pct;

	if (!obj)
		obj = json_object_new_object();
	json_u64(obj, "count", h->count);
	json_u64(obj, "sum_ns", h->sum);
	json_real(obj, "mean_ns", hist_mean(h));
	json_u64(obj, "min_ns", h->min);
	json_u64(obj, "max_ns", h->max);
	pct = json_object_new_object();
	for (p = std_percentiles; p->name; p++)
		json_u64(pct, p->name, hist_percentile(h, p->pct));
	json_object_object_add(obj, "percentiles_ns", pct);
	return obj;
}

static json_object *cell_json(const struct cell *c)
{
	if (c->kind == CELL_U64)
		return json_object_new_uint64(c->u64);
	return c->kind == CELL_STR ? new_str(c->str) : new_real(c->real);
}

json_object *report_json(const struct report_table *t)
{
	json_object *rows = json_object_new_array();
	size_t r, c;

	for (r = 0; r < t->nrows; r++) {
		json_object *o = json_object_new_object();

		for (c = 0; c < t->ncols; c++) {
			const struct column *col = &t->cols[c];
			json_object *into = o;

			if (col->type == COL_BAR || (col->flags & COL_NOJSON) ||
			    t->rows[r].cells[c].kind == CELL_NONE)
				continue;
			if (col->group && !json_object_object_get_ex(o, col->group, &into)) {
				into = json_object_new_object();
				json_object_object_add(o, col->group, into);
			}
			json_object_object_add(into, col->key,
					       cell_json(&t->rows[r].cells[c]));
		}
		json_object_array_add(rows, o);
	}
	return rows;
}

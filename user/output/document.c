// SPDX-License-Identifier: GPL-2.0
/* Write the JSON document of a command. */
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "core/log.h"
#include "core/opt.h"
#include "core/reader.h"
#include "core/text.h"
#include "output/document.h"
#include "output/file.h"
#include "output/json.h"

/*
 * Members of the JSON document "document":
 * @schema: string: Program and version.
 * @command: array of string: The command line.
 * @kernel: kernel: The running kernel, from uname(2).
 * @error: string or null: Why the command failed: its last error line. It is null, too, if the exit
 *	status is 1 only because I/Os failed, or because no value met ``--target-latency``.
 */

/*
 * Members of the JSON object "kernel":
 * @release: string: For instance ``6.12.0-amd64``.
 * @version: string: Build of the kernel.
 * @machine: string: For instance ``x86_64``.
 */
json_object *report_doc_new(const char *tool, char *const *argv)
{
	json_object *doc = json_object_new_object();
	json_object *args = json_object_new_array(), *k = json_object_new_object();
	struct utsname u;
	char schema[40];

	snprintf(schema, sizeof(schema), "%s/%d", tool, REPORT_SCHEMA);
	json_str(doc, "schema", schema);
	for (; argv && *argv; argv++)
		json_object_array_add(args, json_text(*argv));
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

/* Return true if both names are those of one regular file, which may not be there yet. */
static bool same_file(const char *a, const char *b)
{
	char *dir_a = strdup(a), *dir_b = strdup(b);
	struct stat sa, sb;
	bool same = false;

	if (!stat(a, &sa) && !stat(b, &sb))
		same = S_ISREG(sa.st_mode) && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
	else if (access(a, F_OK) && access(b, F_OK) && dir_a && dir_b &&
		 !stat(dirname(dir_a), &sa) && !stat(dirname(dir_b), &sb))
		same = sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino &&
		       !strcmp(path_base(a), path_base(b));
	free(dir_a);
	free(dir_b);
	return same;
}

int report_files_differ(const char *const *outputs, size_t noutputs, char *const *inputs,
			size_t ninputs)
{
	for (size_t i = 0; i < noutputs; i++) {
		const char *file = outputs[i], *other = NULL;

		if (!file || report_is_stdout(file))
			continue;
		for (size_t k = 0; k < i && !other; k++)
			if (outputs[k] && same_file(file, outputs[k]))
				other = "the file of another result";
		for (size_t k = 0; k < ninputs && !other; k++)
			if (same_file(file, strcmp(inputs[k], "-") ? inputs[k] : "/dev/stdin"))
				other = "read";
		if (other)
			return usage_error("%s is also %s; name another file for the result", file,
					   other);
	}
	return 0;
}

int report_doc_writable(const char *file)
{
	char *dir, *slash;
	struct stat st;
	int ret = 0;

	if (!file || report_is_stdout(file))
		return 0;
	if (!*file)
		return err(-ENOENT, "the name of an output file must not be empty");
	ret = report_file_no_disk(file);
	if (ret)
		return ret;
	if (!stat(file, &st) && S_ISDIR(st.st_mode))
		return err(-EISDIR, "%s: is a directory; name a file", file);
	/* Other files than regular ones are written to, and not replaced. */
	if (!stat(file, &st) && !S_ISREG(st.st_mode))
		return access(file, W_OK) ?
			err(-errno, "%s: cannot be written: %s", file, strerror(errno)) : 0;
	dir = strdup(file);
	if (!dir)
		return err(-ENOMEM, "out of memory");
	slash = strrchr(dir, '/');
	if (slash)
		slash[slash == dir] = '\0';
	if (access(slash ? dir : ".", W_OK))
		ret = err(-errno, "%s: cannot be written: %s", file, strerror(errno));
	else if (slash && (stat(dir, &st) || !S_ISDIR(st.st_mode)))
		ret = err(-ENOTDIR, "%s: cannot be written: %s is no directory", file, dir);
	free(dir);
	return ret;
}

/* Report that a file was not written: @ret is 0 or -errno. It is no error if nobody reads it. */
static int say_written(const char *path, int ret)
{
	if (ret && report_is_stdout(path))
		return reader_print_error(ret);
	return ret ? err(ret, "%s: cannot write: %s", path, strerror(-ret)) : 0;
}

int report_write(const char *text, const char *path)
{
	return say_written(path, report_file_write(path, text, report_file_mode()));
}

static bool doc_tried;

static int put_doc(json_object *doc, const char *path, int how)
{
	const char *text;
	int ret;

	text = json_object_to_json_string_ext(doc, how | JSON_C_TO_STRING_NOSLASHESCAPE);
	if (!text)
		return -ENOMEM;
	ret = report_file_write(path, text, report_file_mode());
	if (!ret && report_is_stdout(path))
		ret = report_file_write(path, "\n", 0);
	return ret;
}

static int write_doc(json_object *doc, const char *path, int how)
{
	int ret = put_doc(doc, path, how);

	doc_tried = true;
	return say_written(path, ret);
}

int report_doc_write(json_object *doc, const char *path)
{
	return write_doc(doc, path, JSON_C_TO_STRING_PRETTY);
}

int report_doc_write_plain(json_object *doc, const char *path)
{
	return write_doc(doc, path, JSON_C_TO_STRING_PLAIN);
}

int report_doc_end(json_object *doc, const char *path, int ret)
{
	int written = 0;

	if (doc && log_memory(ret))
		report_doc_error(doc, log_last_error());
	if (doc && path)
		written = report_doc_write(doc, path);
	json_object_put(doc);
	return ret ?: written;
}

/* Return true if a word of the command line, or the value of an option in it, names this file. */
static bool word_names(const char *word, const char *path)
{
	const char *value = strchr(word, '=');

	if (!strcmp(word, "-"))
		return same_file(path, "/dev/stdin");
	if (!strncmp(word, "--", 2))
		return value && same_file(path, value + 1);
	if (*word != '-')
		return same_file(path, word);
	/* The value may follow a short option in the same word, as in -qoFILE */
	for (word++; *word; word++)
		if (same_file(path, word))
			return true;
	return false;
}

/* Return true if two words of the command line name this file, so that one may be an input. */
static bool is_named_twice(const char *path, char *const *argv)
{
	unsigned int n = 0;

	if (report_is_stdout(path))
		return false;
	for (; *argv && strcmp(*argv, "--"); argv++)
		n += word_names(*argv, path);
	return n > 1;
}

void report_error_doc(const char *tool, const char *path, char *const *argv)
{
	json_object *doc;

	if (doc_tried || is_named_twice(path, argv))
		return;
	doc = report_doc_new(tool, argv);
	report_doc_error(doc, log_last_error());
	put_doc(doc, path, JSON_C_TO_STRING_PRETTY);
	json_object_put(doc);
}

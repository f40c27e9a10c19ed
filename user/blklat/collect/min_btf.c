// SPDX-License-Identifier: GPL-2.0
/*
 * Make a small BTF for the relocations of the programs. For each type that a program uses libbpf
 * goes through all types that it is given, and a kernel has more than 100,000. So here one walk
 * finds the types with the names that the programs use. They are copied with the types of their
 * members. What a pointer points to is left out, because a relocation does not follow pointers.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/btf.h>
#include "blklat/collect/kernel_btf.h"
#include "blklat/collect/min_btf.h"
#include "core/log.h"
#include "core/name_index.h"

/**
 * struct wanted - the names of the types that the programs use
 * @names: the names; an entry may be NULL
 * @found: true for each name that was found in a BTF
 * @n: number of names
 * @index: index of @names
 */
struct wanted {
	char **names;
	bool *found;
	size_t n;
	struct name_index *index;
};

/**
 * struct copy - types that are copied from one BTF
 * @from: the BTF of the kernel or of a module
 * @to: the small BTF
 * @ids: for each type of @from, its id in @to, or 0 if it was not copied
 * @wanted: the names to look for
 * @id: the type of @from that is looked at
 * @error: the first error, or 0
 */
struct copy {
	const struct btf *from;
	struct btf *to;
	int *ids;
	struct wanted *wanted;
	__u32 id;
	int error;
};

/* Return true for a type that a program can look up by its name. */
static bool can_be_named(const struct btf_type *t)
{
	return btf_is_composite(t) || btf_is_any_enum(t) || btf_is_typedef(t) || btf_is_int(t);
}

/*
 * Cut off a flavour: struct bio___issue is struct bio of some kernels. A flavour begins with three
 * underscores between other characters.
 */
static void cut_flavour(char *name)
{
	char *sep = strstr(name, "___");

	if (sep && sep != name && sep[-1] != '_' && sep[3] && sep[3] != '_')
		*sep = '\0';
}

static void free_wanted(struct wanted *w)
{
	for (size_t i = 0; w->names && i < w->n; i++)
		free(w->names[i]);
	free(w->names);
	free(w->found);
	name_index_free(w->index);
}

static int read_wanted(const struct btf *programs, struct wanted *w)
{
	w->n = btf__type_cnt(programs);
	w->names = calloc(w->n, sizeof(*w->names));
	w->found = calloc(w->n, sizeof(*w->found));
	if (!w->names || !w->found)
		return -ENOMEM;
	for (size_t i = 1; i < w->n; i++) {
		const struct btf_type *t = btf__type_by_id(programs, i);
		const char *name = btf__name_by_offset(programs, t->name_off);

		if (!can_be_named(t) || !*name)
			continue;
		w->names[i] = strdup(name);
		if (!w->names[i])
			return -ENOMEM;
		cut_flavour(w->names[i]);
	}
	w->index = name_index_new((const char *const *)w->names, w->n);
	return w->index ? 0 : -ENOMEM;
}

static int copy_type(struct copy *c, __u32 id);

/* Copy the types of the members of a struct, union or array. Return 0 or -errno. */
static int copy_parts(struct copy *c, const struct btf_type *t)
{
	int ret = 0;

	if (btf_is_array(t)) {
		ret = copy_type(c, btf_array(t)->type);
		return ret < 0 ? ret : copy_type(c, btf_array(t)->index_type);
	}
	for (int i = 0; btf_is_composite(t) && i < btf_vlen(t) && ret >= 0; i++)
		ret = copy_type(c, btf_members(t)[i].type);
	if (btf_is_mod(t) || btf_is_typedef(t))
		ret = copy_type(c, t->type);
	return ret;
}

/* Replace the ids of the parts of a type that was copied by those of their copies. */
static void use_copies(const struct copy *c, struct btf_type *t)
{
	if (btf_is_array(t)) {
		btf_array(t)->type = c->ids[btf_array(t)->type];
		btf_array(t)->index_type = c->ids[btf_array(t)->index_type];
	}
	for (int i = 0; btf_is_composite(t) && i < btf_vlen(t); i++)
		btf_members(t)[i].type = c->ids[btf_members(t)[i].type];
	if (btf_is_mod(t) || btf_is_typedef(t))
		t->type = c->ids[t->type];
	else if (btf_is_ptr(t))
		t->type = 0;
}

/*
 * Copy a type with all that it contains. The depth of the recursion is that of structs in structs.
 * Return the id of the copy, or -errno.
 */
static int copy_type(struct copy *c, __u32 id)
{
	const struct btf_type *t = btf__type_by_id(c->from, id);
	int ret;

	if (!id || c->ids[id])
		return c->ids[id];
	/* Only pointers refer to a forward declaration or a function, so these are left out. */
	if (btf_is_fwd(t) || btf_is_func_proto(t))
		return 0;
	ret = copy_parts(c, t);
	if (ret < 0)
		return ret;
	ret = btf__add_type(c->to, c->from, t);
	if (ret < 0)
		return ret;
	c->ids[id] = ret;
	use_copies(c, (struct btf_type *)btf__type_by_id(c->to, ret));
	return ret;
}

static void copy_wanted(void *arg, size_t place)
{
	struct copy *c = arg;
	int ret = copy_type(c, c->id);

	c->wanted->found[place] = true;
	if (ret < 0 && !c->error)
		c->error = ret;
}

/* Copy all wanted types of a BTF. For a module, skip the types of the kernel. */
static int copy_all(struct wanted *w, const struct btf *from, struct btf *to)
{
	const struct btf *base = btf__base_btf(from);
	struct copy c = { .from = from, .to = to, .wanted = w };

	c.ids = calloc(btf__type_cnt(from), sizeof(*c.ids));
	if (!c.ids)
		return -ENOMEM;
	for (c.id = base ? btf__type_cnt(base) : 1; c.id < btf__type_cnt(from); c.id++) {
		const struct btf_type *t = btf__type_by_id(from, c.id);

		if (can_be_named(t))
			name_index_each(w->index, btf__name_by_offset(from, t->name_off),
					copy_wanted, &c);
	}
	free(c.ids);
	return c.error;
}

/* Remove the names that were found, so that modules are not searched for them. */
static int leave_out_found(struct wanted *w)
{
	for (size_t i = 0; i < w->n; i++) {
		if (!w->found[i])
			continue;
		free(w->names[i]);
		w->names[i] = NULL;
	}
	name_index_free(w->index);
	w->index = name_index_new((const char *const *)w->names, w->n);
	return w->index ? 0 : -ENOMEM;
}

static int copy_from_modules(struct wanted *w, const char *const *modules, size_t n,
			     struct btf *kernel, struct btf *to)
{
	int ret = n ? leave_out_found(w) : 0;

	for (size_t i = 0; i < n && !ret; i++) {
		struct btf *btf = btf__load_module_btf(modules[i], kernel);

		if (btf)
			ret = copy_all(w, btf, to);
		else if (errno != ENOENT)
			ret = -errno;
		btf__free(btf);
	}
	return ret;
}

static int write_btf(int fd, const struct btf *btf)
{
	const char *data;
	__u32 size = 0;
	ssize_t n;

	data = btf__raw_data(btf, &size);
	if (!data)
		return -ENOMEM;
	while (size) {
		n = write(fd, data, size);
		if (n < 0)
			return -errno;
		data += n;
		size -= n;
	}
	return 0;
}

int min_btf_open(char buf[MIN_BTF_PATH], const char **path)
{
	int fd = memfd_create("blklat-btf", MFD_CLOEXEC);

	*path = NULL;
	snprintf(buf, MIN_BTF_PATH, "/proc/self/fd/%d", fd);
	if (fd >= 0 && !access(buf, R_OK)) {
		*path = buf;
		return fd;
	}
	verbose("libbpf reads all types of the kernel, as it can be given no file in memory");
	if (fd >= 0)
		close(fd);
	return -1;
}

int min_btf_write(int fd, const struct bpf_object *obj, const char *const *modules, size_t n)
{
	struct btf *kernel, *to;
	struct wanted w = {};
	int ret = 0;

	if (fd < 0)
		return 0;
	kernel = kernel_btf(&ret);
	if (!kernel)
		return ret;
	to = btf__new_empty();
	ret = to ? read_wanted(bpf_object__btf(obj), &w) : -ENOMEM;
	if (!ret)
		ret = copy_all(&w, kernel, to);
	if (!ret)
		ret = copy_from_modules(&w, modules, n, kernel, to);
	if (!ret)
		ret = write_btf(fd, to);
	free_wanted(&w);
	btf__free(to);
	return ret ? err(ret, "cannot make a BTF of the types in use: %s", strerror(-ret)) : 0;
}

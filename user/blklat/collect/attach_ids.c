// SPDX-License-Identifier: GPL-2.0
/* Give libbpf the BTF ids of what the programs are attached to, which are already known. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include "blklat/collect/attach_ids.h"
#include "blklat/collect/kernel_btf.h"

static struct {
	const struct hook_status *status;
	struct {
		const char *name;
		int fd;
	} modules[HOOK_MODULES];
	unsigned int nr_modules;
} known;

static bool is_module_btf(int fd, const char *module)
{
	char name[64] = "";
	struct bpf_btf_info info = { .name = (uintptr_t)name, .name_len = sizeof(name) };
	__u32 len = sizeof(info);

	return !bpf_obj_get_info_by_fd(fd, &info, &len) && info.kernel_btf && !strcmp(name, module);
}

static int open_module_btf(const char *module)
{
	__u32 id = 0;
	int fd;

	while (!bpf_btf_get_next_id(id, &id)) {
		fd = bpf_btf_get_fd_by_id(id);
		if (fd < 0)
			continue;
		if (is_module_btf(fd, module))
			return fd;
		close(fd);
	}
	return -ENOENT;
}

/* Return the fd of a module's BTF, which stays open until attach_ids_done(), or -errno. */
static int module_fd(const char *module)
{
	int fd;

	for (unsigned int i = 0; i < known.nr_modules; i++)
		if (!strcmp(known.modules[i].name, module))
			return known.modules[i].fd;
	if (known.nr_modules == HOOK_MODULES)
		return -E2BIG;
	fd = open_module_btf(module);
	if (fd >= 0) {
		known.modules[known.nr_modules].name = module;
		known.modules[known.nr_modules++].fd = fd;
	}
	return fd;
}

static const struct hook_status *status_of(const struct bpf_program *prog)
{
	for (size_t i = 0; i < nr_hooks; i++)
		if (!strcmp(hooks[i].prog, bpf_program__name(prog)))
			return &known.status[i];
	return NULL;
}

/*
 * Find the BTF id for a program that is no hook. It is attached to something in the kernel
 * itself, as its section says: "fentry/NAME".
 */
static int find_in_kernel(const struct bpf_program *prog)
{
	enum bpf_attach_type type = bpf_program__expected_attach_type(prog);
	const char *name = strchr(bpf_program__section_name(prog), '/');
	struct btf *kernel;
	int error = -ENOENT;

	kernel = kernel_btf(&error);
	if (!kernel || !name)
		return error;
	return hook_btf_id(kernel, type == BPF_TRACE_RAW_TP ? HOOK_TP : HOOK_FENTRY, name + 1);
}

static int set_attach_id(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie)
{
	const struct hook_status *st = status_of(prog);
	int id = st ? st->btf_id : find_in_kernel(prog), fd = 0;

	if (id <= 0)
		return -ESRCH;
	if (st && *st->module) {
		fd = module_fd(st->module);
		if (fd < 0)
			return fd;
	}
	opts->attach_btf_id = id;
	opts->attach_btf_obj_fd = fd;
	return 0;
}

static int attach(const struct bpf_program *prog, long cookie, struct bpf_link **link)
{
	*link = bpf_program__attach_trace(prog);
	return *link ? 0 : -errno;
}

void attach_ids_use(const struct hook_status *status)
{
	static const struct {
		const char *section;
		enum bpf_attach_type type;
	} sections[] = {
		{ "fentry+", BPF_TRACE_FENTRY },
		{ "fexit+", BPF_TRACE_FEXIT },
		{ "tp_btf+", BPF_TRACE_RAW_TP },
	};
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = set_attach_id,
		    .prog_attach_fn = attach);
	static bool registered;

	known.status = status;
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections) && !registered; i++)
		libbpf_register_prog_handler(sections[i].section, BPF_PROG_TYPE_TRACING,
					     sections[i].type, &opts);
	registered = true;
}

void attach_ids_done(void)
{
	while (known.nr_modules)
		close(known.modules[--known.nr_modules].fd);
	known.status = NULL;
}

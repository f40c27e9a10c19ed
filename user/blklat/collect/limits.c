// SPDX-License-Identifier: GPL-2.0
/* Check the rights and limits of the process, before a session asks the kernel for anything. */
#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/capability.h>
#include <bpf/btf.h>
#include "blklat/collect/kernel_btf.h"
#include "blklat/collect/limits.h"
#include "core/child.h"
#include "core/log.h"
#include "core/memory.h"

/*
 * A session uses at most this many bytes beside the slots and records, for the kernel's types, the
 * programs and the results. A trace of one disk used 45 MiB on 6.12, and blklat top of a dozen
 * devices 60 MiB.
 */
#define MEMORY_BESIDE (64UL << 20)

/* A session opens this many files beside programs and links: maps, types of modules, results. */
#define FILES_BESIDE 48

/* The inode number of the first user namespace, PROC_USER_INIT_INO in the kernel */
#define FIRST_USER_NS 0xeffffffdU

/*
 * Return false if this is a user namespace like that of a container. The kernel does not accept the
 * capabilities that a process has there. Without /proc the namespace is unknown.
 */
static bool in_first_user_ns(void)
{
	struct stat ns;

	return stat("/proc/self/ns/user", &ns) || ns.st_ino == FIRST_USER_NS;
}

/* Return true if this process has a capability that the kernel accepts. */
static bool has_cap(unsigned int cap)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (syscall(SYS_capget, &header, data))
		return false;
	return data[cap / 32].effective & 1U << cap % 32 && in_first_user_ns();
}

bool may_read_module_types(void)
{
	return has_cap(CAP_SYS_ADMIN);
}

bool may_trace(void)
{
	return has_cap(CAP_SYS_ADMIN) || (has_cap(CAP_BPF) && has_cap(CAP_PERFMON));
}

int limits_no_rights(void)
{
	return err(-EPERM, "tracing needs CAP_BPF and CAP_PERFMON%s", geteuid() ? ": run as root" :
		   ", which root does not have here (is this a container?)");
}

/*
 * Return an error if libbpf would have to open the types of modules, which only CAP_SYS_ADMIN may.
 * It does so to look for a function that the kernel itself does not have.
 */
static int check_types(void)
{
	int error = 0;
	struct btf *kernel = may_read_module_types() ? NULL : kernel_btf(&error);

	if (!kernel || btf__find_by_name_kind(kernel, "bpf_rdonly_cast", BTF_KIND_FUNC) > 0)
		return error;
	return err(-EPERM, "tracing needs CAP_SYS_ADMIN on this kernel, which has no "
		   "bpf_rdonly_cast()");
}

static int check_files(size_t programs)
{
	rlim_t need = 2 * programs + FILES_BESIDE;
	int ret = child_raise_files(need);
	struct rlimit files;

	if (!ret || getrlimit(RLIMIT_NOFILE, &files))
		return ret;
	return err(ret, "this process may open %llu files, but tracing needs %llu (ulimit -n)",
		   (unsigned long long)files.rlim_max, (unsigned long long)need);
}

static int check_memory(uint64_t rings)
{
	uint64_t machine = machine_memory(), allowed = allowed_memory();
	uint64_t need = rings + MEMORY_BESIDE;

	if (allowed >= need)
		return 0;
	return err(-ENOMEM, "%s %llu MiB of memory, but tracing needs %llu MiB, %llu MiB of them "
		   "for I/Os (--ring)", allowed < machine ? "the control group may use" :
		   "the machine has", (unsigned long long)allowed >> 20,
		   (unsigned long long)need >> 20, (unsigned long long)rings >> 20);
}

int limits_check(uint64_t rings, size_t programs)
{
	if (!may_trace())
		return limits_no_rights();
	return check_types() ?: check_files(programs) ?: check_memory(rings);
}

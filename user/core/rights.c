// SPDX-License-Identifier: GPL-2.0
/* Give up the rights that a command does not need. */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/capability.h>
#include "core/log.h"
#include "core/rights.h"

/*
 * Without these, root could not read the files of other users, write into their directories, and
 * rename a result over a user's file in /tmp.
 */
static const unsigned int file_caps[] = { CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER };

/* Remove all capabilities from one word of the sets but those of file_caps[]. */
static void mask(struct __user_cap_data_struct *data, unsigned int word)
{
	__u32 keep = 0;

	for (size_t i = 0; i < sizeof(file_caps) / sizeof(file_caps[0]); i++)
		if (CAP_TO_INDEX(file_caps[i]) == word)
			keep |= CAP_TO_MASK(file_caps[i]);
	data->effective &= keep;
	data->permitted &= keep;
	data->inheritable &= keep;
}

void rights_for_files(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	int ret = syscall(SYS_capget, &header, data);

	for (unsigned int i = 0; !ret && i < _LINUX_CAPABILITY_U32S_3; i++)
		mask(&data[i], i);
	if (ret || syscall(SYS_capset, &header, data))
		verbose("capabilities cannot be given up: %s", strerror(errno));
	/* Without this, a program that root starts has all capabilities again. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		verbose("programs can get more rights: %s", strerror(errno));
}

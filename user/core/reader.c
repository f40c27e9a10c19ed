// SPDX-License-Identifier: GPL-2.0
/* Let the program clean up before it ends because the reader of its output is gone. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include "core/log.h"
#include "core/reader.h"

static bool held;

static void sigpipe(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigprocmask(how, &set, NULL);
}

void reader_hold(void)
{
	struct sigaction sa;

	if (held || sigaction(SIGPIPE, NULL, &sa) || sa.sa_handler == SIG_IGN)
		return;
	sigpipe(SIG_BLOCK);
	held = true;
}

bool reader_gone(void)
{
	sigset_t set;

	return held && !sigpending(&set) && sigismember(&set, SIGPIPE);
}

int reader_release(void)
{
	bool lost = fflush(stdout) || ferror(stdout);

	if (held)
		sigpipe(SIG_UNBLOCK);
	held = false;
	return lost ? -EIO : 0;
}

int reader_print_error(int ret)
{
	if (!ret || reader_gone())
		return 0;
	return err(ret, "cannot print the result: %s", strerror(-ret));
}

int reader_print_lost(void)
{
	if (held)
		raise(SIGPIPE);
	return reader_print_error(-EPIPE);
}

// SPDX-License-Identifier: GPL-2.0
/* Write events to files: the buffer and the parts that all formats share. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blklat/trace/event_sink.h"

#define SINK_BUF (256U << 10)

int event_sink_open(struct event_sink *s, const struct event_sink_ops *ops, int fd,
		    const struct event_source *src)
{
	int ret;

	memset(s, 0, sizeof(*s));
	s->ops = ops;
	s->fd = fd;
	s->buf = malloc(SINK_BUF);
	ret = s->buf ? ops->begin(s, src) : -ENOMEM;
	if (ret)
		event_sink_close(s, NULL);
	return ret;
}

void event_sink_flush(struct event_sink *s)
{
	size_t done = 0;

	while (done < s->len && !s->error) {
		ssize_t n = write(s->fd, s->buf + done, s->len - done);

		if (n >= 0)
			done += n;
		else if (errno != EINTR)
			s->error = -errno;
	}
	s->len = 0;
}

char *event_sink_room(struct event_sink *s, size_t len)
{
	if (s->len + len > SINK_BUF)
		event_sink_flush(s);
	return s->buf + s->len;
}

void event_sink_close(struct event_sink *s, const struct event_source *src)
{
	if (!s->ops)
		return;
	if (src) {
		s->ops->end(s, src);
		event_sink_flush(s);
	}
	if (s->ops->free)
		s->ops->free(s);
	free(s->priv);
	free(s->buf);
	s->buf = NULL;
	s->ops = NULL;
}

const char *event_status_name(unsigned int status)
{
	/* These are as in include/linux/blk_types.h. The values after these differ by kernel. */
	static const char *const names[] = {
		"", "not supported", "timeout", "no space", "transport", "target",
		"reservation conflict", "medium", "protection", "resource", "I/O", "dm requeue",
		"again",
	};

	return status < sizeof(names) / sizeof(*names) ? names[status] : "other";
}

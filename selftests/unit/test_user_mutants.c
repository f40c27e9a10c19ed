// SPDX-License-Identifier: GPL-2.0
/*
 * This test will damage job files, dm tables, log pages of NVMe devices, numbers and command lines
 * by chance, and expect each parser to return or to say why not, in one line without control
 * characters.
 * test_damaged_results runs it with sanitizers. SEED=N repeats a run, MUTANTS=N sets its length.
 */
/* needs: host timeout=600 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "blkgen/cmds.h"
#include "blkgen/fio/jobfile.h"
#include "blklat/cmds.h"
#include "core/log.h"
#include "core/opt.h"
#include "core/units.h"
#include "core/utf8.h"
#include "device/dmtable.h"
#include "device/nvme_log.h"
#include "random.h"
#include "unit.h"

#define MOST 4096

static uint64_t state;

static size_t below(size_t n)
{
	return random_next(&state) % n;
}

static const char *const tokens[] = {
	"", " ", "\n", "=", ":", ",", "-", "0", "-1", "1k", "18446744073709551616", "1e999", "%",
	"[", "]", "[x]\n", "\x1b[31m", "\x7f", "\xc2\x9b", "\xff", "filename=/dev/x", "include x\n",
	"8:16", "4294967296:1", "999999999999999999999", "\t", "\r\n", "#", "''", "\"",
};

#define NR_TOKENS (sizeof(tokens) / sizeof(*tokens))

/* Put @n bytes of @from in the place of @gone bytes at @at, unless the text would get too long. */
static size_t replace(char *text, size_t len, size_t at, size_t gone, const char *from, size_t n)
{
	char copy[MOST];

	if (len - gone + n >= MOST)
		return len;
	memcpy(copy, from, n);
	memmove(text + at + n, text + at + gone, len - at - gone);
	memcpy(text + at, copy, n);
	return len - gone + n;
}

/* Damage a text of @len bytes in place, which has room for MOST. Return its new length. */
static size_t damage(char *text, size_t len)
{
	for (size_t i = 1 + below(4); i; i--) {
		size_t at = below(len + 1), span = below(len - at + 1);
		const char *token = tokens[below(NR_TOKENS)];

		span = below(3) ? span % 16 : span;
		switch (below(5)) {
		case 0:
			len = replace(text, len, at, span, "", 0);
			break;
		case 1:
			len = replace(text, len, at, 0, text + at, span);
			break;
		case 2:
			len = replace(text, len, at, span, token, strlen(token));
			break;
		case 3:
			if (at < len)
				text[at] = 1 + below(255);
			break;
		case 4:
			len = replace(text, len, at, 0, token, strlen(token));
			break;
		}
	}
	return len;
}

/* Return a damaged copy of a text in memory of just its size, so that a sanitizer sees its end. */
static char *mutant(const char *text)
{
	char buf[MOST];
	size_t len = strlen(text);

	memcpy(buf, text, len);
	len = damage(buf, len);
	buf[len] = '\0';
	return strdup(buf);
}

/* Return true if a text is one line that a terminal may get. */
static bool is_clean(const char *s)
{
	size_t n;

	for (; *s; s += n) {
		n = utf8_printable_len(s);
		if (!n || *s == '\n')
			return false;
	}
	return true;
}

static const char *const jobs[] = {
	"[global]\ndirect=1\nioengine=io_uring\niodepth=32\nbs=4k\nruntime=10\ntime_based\n"
	"[a]\nfilename=/dev/d\nrw=randrw\nrwmixread=70\nrandom_distribution=zipf:1.1\n"
	"[b]\nstonewall\nfilename=/dev/d:/dev/e\nbssplit=4k/50:64k/50\nrate=10m,1m\n",
	"[x]\nfilename=/dev/d\nsize=10%\noffset=1g\nbsrange=4k-64k\nnumjobs=4\nthinktime=1ms\n"
	"verify=crc32c\ncpus_allowed=0-3,6\n; a comment\n",
	"[z]\nrw=read\nzonemode=strided\nzonesize=1m\nzoneskip=1m\nsize=1g\nfilename=/dev/d\n"
	"rate_iops=100\nrate_process=poisson\nlatency_target=10ms\nlatency_window=1s\n",
};

static bool parse_job(const char *text)
{
	static char *devices[] = { "nvme0n1", "sda" };
	struct jobfile jf = { .devices = devices, .ndevices = below(3) };
	int ret = jobfile_parse("j", text, &jf);
	bool good = !ret || (ret == -EUSAGE && *log_last_error());

	jobfile_free(&jf);
	return good && is_clean(log_last_error());
}

static const char *const tables[] = {
	"2 128 8:16 0 8:32 2048",
	"core 2 1024 nosync 2 8:16 0 8:32 0 1 handle_errors",
	"raid5_ls 3 128 journal_dev 8:9 3 - 8:1 - 8:2 - 8:3",
	"1 queue_if_no_path 0 2 1 round-robin 0 1 1 8:16 1 service-time 0 1 1 8:32 1",
	"aes-xts-plain64 00112233445566778899 0 8:1 4096 1 allow_discards",
	"8:1 8:2 8:3 512 1 writethrough smq 0",
	"2 0 1 0 2 1 A 0 1 2 8:16 A 0 0 1 E 0 1 2 8:32 F 1 0 1",
	"raid1 2 AA 2097152/2097152 idle 0 0 -",
	"8:1 0 32 J 2 meta_device:8:2 internal_hash:crc32c",
};

static const char *const targets[] = {
	"linear", "striped", "mirror", "raid", "multipath", "crypt", "cache", "writecache", "thin",
	"thin-pool", "snapshot", "delay", "verity", "integrity", "zero", "nosuchtarget",
};

struct refs {
	const char *status;
	size_t roles;		/* sum of the lengths of all roles */
};

static void one_ref(const struct dm_ref *ref, void *arg)
{
	struct refs *r = arg;

	dm_status_leg(targets[below(sizeof(targets) / sizeof(*targets))], r->status, ref);
	r->roles += strlen(ref->role);
}

static bool parse_table(const char *text)
{
	const char *type = targets[below(sizeof(targets) / sizeof(*targets))];
	struct refs refs = { .status = text };
	size_t n = dm_table_refs(type, text, one_ref, &refs), len = strlen(text);
	char detail[64], *hidden = strdup(text);
	bool good = refs.roles <= n * DM_ROLE;

	dm_table_detail(type, text, detail, sizeof(detail));
	dm_table_hide_keys(type, hidden);
	good &= strlen(hidden) == len && strlen(detail) < sizeof(detail);
	free(hidden);
	return good;
}

/* Decode a page of bytes that are all by chance, or nearly all 0, or nearly all 255. */
static bool decode_page(void)
{
	size_t len = below(3) ? 512 : below(600);
	uint8_t *page = malloc(len + !len);
	struct nvmelog log = { 0 };
	int ret, fill = below(3);

	for (size_t i = 0; i < len; i++)
		page[i] = !fill || !below(16) ? below(256) : fill == 1 ? 0 : 255;
	ret = nvmelog_decode(below(NVMELOG_NR_PAGES), page, len, &log);
	free(page);
	return !ret || ret == -EINVAL || ret == -ENOMSG;
}

static const char *const numbers[] = { "10ms", "4KiB", "1.5GB/s", "10k", "99.9%", "3h", "18E" };

static bool parse_number(const char *text)
{
	static int (*const parsers[])(const char *, uint64_t *) = {
		parse_time, parse_size, parse_count, parse_rate
	};
	uint64_t v;
	double pct;
	int ret = parse_percent(text, &pct);
	bool good = ret || pct == pct;

	for (size_t i = 0; i < sizeof(parsers) / sizeof(*parsers); i++) {
		ret = parsers[i](text, &v);
		good &= !ret || ret == -EINVAL || ret == -ERANGE;
	}
	return good;
}

static const char *const load_lines[] = {
	"nvme0n1 sda --rw randrw --mix 70 --qd 64 --jobs 4 --bs 4k/50:64k/50 --rate 10k --time 3s",
	"nvme0n1 --dist zones:60/10:40/90 --cpus 0-3,6 --errors max=5 --drain 1s --arrival poisson",
	"-q -t5 -n 1k nvme0n1 --sweep qd=1,2,4 --target-latency p99=500us --per job,op --json=-",
	"sda --offset 1M --size 10G --align 8k --streams 4 --zone-size 1M --zone-skip 1M --no-fua",
};

static const char *const trace_lines[] = {
	"nvme0n1 dm-0 --time 3s --interval 1s --by pid --op read,write --slower 10ms --json=-",
	"md0 --events=- --perfetto=x --check --no-cost --ring 64M -- fio --name=a",
	"--pid 1 --comm fio --cgroup /a --spans -v nvme0n1p1 --percentiles 50,99.9 --hist",
};

/* Return true if a word may be -h or --help: help on stdout would be taken for results. */
static bool asks_for_help(const char *word)
{
	if (!strncmp(word, "--h", 3))
		return word[3] != 'i';
	return word[0] == '-' && word[1] != '-' && strchr(word, 'h');
}

/* Parse the words of a line as options of a command. */
static bool parse_line(const struct cmd *cmd, const char *text)
{
	char *copy = strdup(text), *argv[64] = { "x" }, *save;
	struct opt_args args = { .argv = argv };
	void *cfg = calloc(1, cmd->cfg_size);
	int argc = 1, ret;
	bool good;

	for (char *w = strtok_r(copy, " ", &save); w && argc < 63; w = strtok_r(NULL, " ", &save))
		if (!asks_for_help(w))
			argv[argc++] = w;
	ret = opt_parse("x", cmd, argc, argv, cfg, &args);
	good = !ret || ret == -EHELP || (ret == -EUSAGE && *log_last_error());
	opt_free(cmd, cfg, &args);
	free(cfg);
	free(copy);
	return good && is_clean(log_last_error());
}

static bool parse_load(const char *text)
{
	return parse_line(&cmd_load, text);
}

static bool parse_trace(const char *text)
{
	return parse_line(&cmd_trace, text);
}

/* Damage texts @n times. Print those that the parser did not take as it should. */
static void run(const char *what, const char *const *texts, size_t ntexts,
		bool (*parse)(const char *), unsigned long n)
{
	unsigned long bad = 0;

	for (unsigned long i = 0; i < n; i++) {
		char *text = mutant(texts[below(ntexts)]);

		if (!parse(text) && !bad++) {
			printf("# ");
			utf8_print(stdout, text);
			printf("\n# %s\n", log_last_error());
		}
		free(text);
	}
	check(!bad, "%lu damaged %s are parsed or refused", n, what);
}

#define RUN(what, texts, parse, n) run(what, texts, sizeof(texts) / sizeof(*(texts)), parse, n)

int main(void)
{
	const char *seed = getenv("SEED"), *mutants = getenv("MUTANTS");
	unsigned long n = mutants ? strtoul(mutants, NULL, 0) : 20000, bad = 0;

	state = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
	state += !state;
	printf("# SEED=%llu MUTANTS=%lu\n", (unsigned long long)state, n);
	/* The parsers print their messages, and there are too many of them to keep. */
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	RUN("job files", jobs, parse_job, n);
	RUN("tables", tables, parse_table, n);
	RUN("numbers", numbers, parse_number, n);
	RUN("command lines of blkgen load", load_lines, parse_load, n);
	RUN("command lines of blklat trace", trace_lines, parse_trace, n);
	for (unsigned long i = 0; i < n; i++)
		bad += !decode_page();
	check(!bad, "%lu log pages are decoded or refused", n);
	return unit_end();
}

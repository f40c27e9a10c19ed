// SPDX-License-Identifier: GPL-2.0
/* Walk over the stacks of a result, and print them. */
#include <errno.h>
#include "blklat/result/stack_tree.h"
#include "core/text.h"

struct walk {
	const struct result_dev *devs;
	size_t n;
	stack_add_fn *add;
	void *arg;
	unsigned int left;
};

bool stack_any(const struct result_dev *devs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (devs[i].top && devs[i].nlegs)
			return true;
	return false;
}

static void visit(struct walk *w, const struct result_dev *d, const struct result_leg *leg,
		  int parent, unsigned int depth)
{
	int row = w->add(w->arg, d, leg, parent);

	w->left--;
	for (size_t i = 0; i < d->nlegs && depth < BLKLAT_MAX_LAYERS && w->left; i++)
		if (d->legs[i].place < w->n)
			visit(w, &w->devs[d->legs[i].place], &d->legs[i], row, depth + 1);
}

bool stack_walk(const struct result_dev *devs, size_t n, stack_add_fn *add, void *arg)
{
	struct walk w = { devs, n, add, arg, STACK_ROWS_MAX };

	for (size_t i = 0; i < n && w.left; i++)
		if (devs[i].top && devs[i].nlegs)
			visit(&w, &devs[i], NULL, -1, 0);
	return w.left;
}

int tree_print(struct report_table *t, const char *title, bool whole, FILE *f)
{
	int ret;

	if (!t)
		return -ENOMEM;
	ret = report_print_titled(t, title, f);
	if (!whole)
		text_printf(f, "(only the first %d rows are shown)\n", STACK_ROWS_MAX);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of QEMU's interface for plugins that count.c uses. Debian's QEMU comes without the
 * header; https://www.qemu.org/docs/master/devel/tcg-plugins.html describes the functions.
 */
#ifndef QEMU_PLUGIN_H
#define QEMU_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

/* QEMU 9.2 is the first that has this version of the interface. */
#define QEMU_PLUGIN_INTERFACE 4

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_register;
struct qemu_plugin_reg_descriptor {
	struct qemu_plugin_register *handle;
	const char *name;
	const char *feature;
};
struct bytes { /* GByteArray and GArray of GLib */
	uint8_t *data;
	unsigned int len;
};
enum { REGS_NONE, REGS_READ };
void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id,
				       void (*cb)(qemu_plugin_id_t, unsigned int));
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
		void (*cb)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
		void (*cb)(unsigned int, void *), int flags, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t len);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
struct bytes *qemu_plugin_get_registers(void);
/*
 * This appends to @buf. It is declared without its return value, because that is an int up to the
 * version 5 of the interface, and a bool from the version 6 on.
 */
void qemu_plugin_read_register(struct qemu_plugin_register *handle, struct bytes *buf);
struct bytes *g_byte_array_new(void);
struct bytes *g_byte_array_set_size(struct bytes *array, unsigned int len);

#endif

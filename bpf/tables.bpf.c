// SPDX-License-Identifier: GPL-2.0
/* The maps, the configuration and the state: defined once, here. */
#define BLKLAT_DEFINE_TABLES
#include "tables.bpf.h"

const volatile struct blklat_config cfg = {};
struct blklat_state state = {};

char LICENSE[] SEC("license") = "GPL";

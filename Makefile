# SPDX-License-Identifier: GPL-2.0
# blklat and blkgen: `make help` says what there is.
#
# Everything made goes below $(O); the source tree may be read-only.

O	?= build
V	?= 0
KDIR	?= /lib/modules/$(shell uname -r)/build
WERROR	?= 0
PREFIX	?= /usr/local
DESTDIR	?=
DEPMOD	?= /sbin/depmod

override O	:= $(abspath $(O))
TOP		:= $(dir $(abspath $(lastword $(MAKEFILE_LIST))))

# Debian has bpftool in a directory that an ordinary user's PATH lacks.
PATH		:= $(PATH):/usr/sbin:/sbin

# The version of the programs, the module and the packages
VERSION		:= $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' $(TOP)kmod/dkms.conf)

export V W C KDIR WERROR PREFIX DESTDIR PATH VERSION

ifneq ($(V),1)
MAKEFLAGS	+= --no-print-directory
Q		:= @
endif
SUB		= $(if $(wildcard $(TOP)$(1)/Makefile),+$(Q)$(MAKE) -C $(TOP)$(1) O=$(O) $(2))

.PHONY: all needs modules bpf user tests bench-tools install uninstall demo check check-all \
	check-debug bench cost doc lint dist deb rpm clean help

HEADERS		:= $(wildcard $(KDIR)/include/config/kernel.release)

all: needs $(if $(HEADERS),modules) user

# All that is missing is said at once, before anything is built. Who asks for the module or for the
# objects of BPF by name needs less.
needs: ; $(Q)$(TOP)user/needs

UNNAMED	= $(if $(filter $(1),$(MAKECMDGOALS)),,$(2))

modules: $(call UNNAMED,modules,| needs) ; $(call SUB,kmod)

bpf: $(call UNNAMED,bpf,| needs) ; $(call SUB,bpf)

user: bpf | needs ; $(call SUB,user)

# selftests/run and selftests/bench/run build these before they boot a guest
tests: ; $(call SUB,selftests,all)

bench-tools: ; $(call SUB,selftests,bench)

install: all
	$(call SUB,user,install)
	$(if $(HEADERS),$(call SUB,kmod,install))
	$(call SUB,Documentation,install)
	$(Q)[ -n "$(DESTDIR)" ] || [ -z "$(HEADERS)" ] || $(DEPMOD) -a $$(cat $(HEADERS))

uninstall:
	$(call SUB,user,uninstall)
	$(if $(HEADERS),$(call SUB,kmod,uninstall))
	$(call SUB,Documentation,uninstall)
	$(Q)[ -n "$(DESTDIR)" ] || [ -z "$(HEADERS)" ] || $(DEPMOD) -a $$(cat $(HEADERS))

# KERNEL is a kernel of one's own, see selftests/vm/run --help.
ifeq ($(origin KERNEL),command line)
export BLKLAT_KERNEL := $(if $(filter /%,$(KERNEL)),,$(CURDIR)/)$(KERNEL)
KERNELS := own
endif

demo: ; $(Q)$(TOP)selftests/vm/demo $(KERNELS)

check: ; $(Q)$(TOP)selftests/run $(if $(KERNELS),-k "$(KERNELS)") $(TESTS)

check-all: ; $(Q)$(TOP)selftests/run -a $(if $(KERNELS),-k "$(KERNELS)") $(TESTS)

check-debug: ; $(Q)$(TOP)selftests/run -a -k 6.12-debug $(TESTS)

bench:
	$(Q)$(TOP)selftests/bench/run $(if $(KERNELS),-k "$(KERNELS)") \
		$(if $(BASE),--base "$(BASE)") $(if $(JSON),--json "$(JSON)") \
		$(if $(RST),--rst "$(RST)") $(TABLES)

cost:
	$(Q)$(TOP)selftests/bench/cost $(if $(KERNELS),-k "$(KERNELS)") \
		$(if $(LOAD),--load "$(LOAD)") $(if $(JSON),--json "$(JSON)") \
		$(if $(HTML),--html "$(HTML)") $(STACKS)

doc: ; $(call SUB,Documentation)

lint: ; $(Q)$(TOP)selftests/run $(if $(KERNELS),-k "$(KERNELS)") lint/

DIST		:= $(O)/packages/blklat-$(VERSION).tar.xz

# The tarball has what git has at HEAD. If this tree came from a tarball, it has all of the tree but
# build/ and $(O).
dist:
	$(Q)mkdir -p $(O)/packages
	$(Q)if [ -e $(TOP).git ] && git -C $(TOP) rev-parse -q --verify HEAD >/dev/null 2>&1; then \
		git -C $(TOP) archive --prefix=blklat-$(VERSION)/ -o $(DIST).new.tar HEAD; \
	else \
		tar -C $(TOP) -cf $(DIST).new.tar --owner=0 --group=0 --anchored --exclude=./.git \
			--exclude=./build --exclude=./$$(realpath --relative-to=$(TOP) $(O)) \
			--transform 'flags=r;s,^\.,blklat-$(VERSION),' .; \
	fi
	$(Q)xz -f $(DIST).new.tar
	$(Q)mv $(DIST).new.tar.xz $(DIST)
	@echo $(DIST)

deb rpm: dist ; $(Q)$(TOP)user/packages/$@ $(DIST) $(O)/packages

clean: ; $(Q)rm -rf $(O)/kmod $(O)/bpf $(O)/bin $(O)/user $(O)/selftests $(O)/man $(O)/doc \
	$(O)/packages

help:
	@echo 'Main jobs (as root; they set up all they need):'
	@echo '  demo       VMs with NVMe and AHCI disks, LVM and md, loads made and traced in them'
	@echo '  check      the core on all kernels, all else that is quick on one: 15 minutes'
	@echo '  check-all  all tests, some on more kernels: 45 minutes; KERNELS=6.12 narrows both,'
	@echo '             TESTS=blklat runs all tests of that name, quick or not'
	@echo '  check-debug  the tests that are about the kernel, on one that looks for errors of'
	@echo '             memory, locking and RCU; built once, in 20 minutes of a CPU'
	@echo '  bench      what blklat, blkgen and others cost on 6.1, in instructions per I/O;'
	@echo '             KERNELS=... TABLES=tracers; BASE=REV compares with that commit, and'
	@echo '             fails on 2 % more, or above selftests/bench/limits; JSON=FILE keeps the'
	@echo '             figures, RST=Documentation/bench.rst makes that page'
	@echo '  cost       in which functions the instructions of an I/O are, for the disk, dm and'
	@echo '             md; KERNELS=all STACKS="raw md-raid0" LOAD=randwrite,'
	@echo '             HTML=FILE makes a page with flame graphs'
	@echo '  All but check-debug take KERNEL=DIR, in which you have built a kernel with what'
	@echo '             selftests/vm/config has, and run on that kernel alone.'
	@echo 'Building:'
	@echo '  all        modules (where there are kernel headers) and user: the default'
	@echo '  modules    kmod/blkgen.ko for KDIR'
	@echo '  bpf        the BPF objects and skeletons'
	@echo '  user       bin/blklat and bin/blkgen'
	@echo '  doc        man/ and doc/ (HTML) from Documentation (needs python3-docutils)'
	@echo '  install    to $$(DESTDIR)$$(PREFIX) and /lib/modules; uninstall takes it away'
	@echo '  dist       packages/blklat-$(VERSION).tar.xz, from which all of this can be made'
	@echo '  deb, rpm   packages of the programs, and of the module for DKMS, in packages/'
	@echo '  lint       builds with sparse, W=1 and -Werror for every kernel; checkpatch,'
	@echo '             shellcheck'
	@echo '  clean      removes what was built in O'
	@echo 'Variables: O=DIR output ($(O))  KDIR=DIR kernel headers  V=1 show commands'
	@echo '           W=1 C=1 WERROR=1 as in the kernel  PREFIX=DIR DESTDIR=DIR'

# SPDX-License-Identifier: Apache-2.0
# Front door to everything; CMake, ninja and scripts/ do the work. `make` alone lists the targets.
SHELL := /bin/bash

BUILD := build
JOBS  ?= $(shell nproc 2>/dev/null || echo 2)
CXX   := clang++
# With TensorFlow Lite Micro and JAX.
PYTHON := $(BUILD)/conformance-env/bin/python
# Tests to run (`make test`) or to record (`make wave`): a regular expression on their names.
TEST  ?=
# How long `make conformance`, `make fuzz` and `make soak` run, and the seed of the models and of the soak's first program.
SECONDS := 600
SEED    ?= 1
# What `make fit` and `make synth` build, of fpga/configs.json, and what `make fit` places it on; the board of `make fpga`.
CONFIG  ?= N8
DEVICE  ?= 85F
BOARD   ?= ulx3s
NETLIST ?= N4
# The Debian that `make fresh` tries: bookworm (12) or trixie (13).
SUITE   := bookworm
# Options of the program behind the target: `make sim ARGS=--list`.
ARGS  ?=
# Where `make curves` writes its plots; empty: nowhere.
PLOTS ?=

.DEFAULT_GOAL := help
.PHONY: help sim bench board-sim scaling test wheel notebook conformance onnx-conformance curves pytorch quantise vectors fresh mutate fuzz soak float-sweep sanitize coverage lint tidy formal wave synth fit fpga netlist-sim equivalence docs-api format generate clean

help:  ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

sim: configured  ## run matrix products, convolutions and a digits network on the simulated machine, and train one
	@cmake --build $(BUILD) -j $(JOBS) --target tpu_sim
	$(BUILD)/bin/tpu_sim $(ARGS)

bench: configured  ## cycles of matrix products and of networks, estimated ones, and targets (with TPU_MODELS_DIR, real networks too)
	@cmake --build $(BUILD) -j $(JOBS) --target tpu
	$(BUILD)/bin/tpu bench bench/matmul bench/transformer bench/mobilenetv2 bench/resnet50 bench/mlperf-tiny bench/networks bench/int16 bench/recurrent \
	  --skip-missing --targets bench/targets.json --json $(BUILD)/bench.json
	$(BUILD)/bin/tpu bench bench/bf16 bench/bf16-large --config N16-bf16 --targets bench/targets_bf16.json --json $(BUILD)/bench_bf16.json
	$(BUILD)/bin/tpu bench bench/training bench/training-large --config N16-bf16 --targets bench/targets_training.json --json $(BUILD)/bench_training.json

board-sim: configured board-env  ## networks on boards in simulation, by the ordinary command through a serial line, without and with faults (TPU_MODELS_DIR)
	@cmake -DTPU_LITEX_PYTHON=$(abspath $(BUILD))/board-env/bin/python $(BUILD) > /dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target tpu tpu_board_sim
	@tests/board/board_test.py $(BUILD)/bin $(ARGS)

scaling: configured  ## the suites on machines of N = 8, 16, 32 and 64: gains and limits (builds for minutes)
	@cmake --build $(BUILD) -j $(JOBS) --target tpu_scaling
	@scripts/scaling.py $(BUILD)/bin/tpu_scaling $(BUILD)/scaling.json

fuzz:  ## fuzz the importer and the compiler with sanitizers (SECONDS=600, seeds from TPU_MODELS_DIR)
	@scripts/require_tools.sh build sanitize
	@scripts/fuzz.sh $(BUILD) $(JOBS) $(SECONDS)

test: configured python-module boards  ## build everything and run the tests (TEST=regex chooses)
	@scripts/require_tools.sh test || echo "make test: goes on; what needs a browser is skipped"
	@cmake --build $(BUILD) -j $(JOBS)
	@scripts/run_tests.sh $(BUILD) $(JOBS) '$(TEST)'

wheel: configured python-build-env  ## pip install . in a new virtual environment, with this build's machines, and the package's tests there
	@cmake --build $(BUILD) -j $(JOBS) --target tpu_machine_models tpu
	@scripts/pip_install.sh $(BUILD)

notebook: configured python-module notebook-env  ## execute examples/notebooks: from Keras to int8 to cycles (TensorFlow: 1.6 GB)
	@cmake --build $(BUILD) -j $(JOBS) --target _tpu
	@$(BUILD)/notebook-env/bin/python tests/notebooks/notebooks.py $(BUILD)

conformance: configured python-env int16-env $(if $(findstring --rounding,$(ARGS)),litert-env)  ## random models on TensorFlow Lite Micro (LiteRT: ARGS='--rounding float'), golden model and RTL: the same bytes, on float32 within bounds; gradients on JAX (SECONDS=n, SEED=s)
	@cmake --build $(BUILD) -j $(JOBS) --target tpu_conformance tpu_gradients
	@$(PYTHON) tests/conformance/conformance.py $(BUILD) --seconds $(SECONDS) --seed $(SEED) $(ARGS)
	@$(if $(ARGS),,$(PYTHON) tests/conformance/gradients.py $(BUILD) --seconds $$(($(SECONDS) / 10)) --seed $(SEED))

onnx-conformance: configured python-module  ## random quantised models of ONNX on ONNX Runtime and on the golden model, in rounding float: the same results, but for what docs/onnx.md names (SECONDS=n, SEED=s, ARGS=--help)
	@cmake --build $(BUILD) -j $(JOBS) --target _tpu
	@$(BUILD)/python-env/bin/python tests/onnx/conformance.py $(BUILD) --seconds $(SECONDS) --seed $(SEED) $(ARGS)

curves: configured curves-env  ## loss curves of five networks on the golden model beside PyTorch's, within bounds (ARGS=--self-test makes mistakes; PLOTS=folder)
	@cmake --build $(BUILD) -j $(JOBS) --target tpu_curves
	@$(BUILD)/curves-env/bin/python tests/conformance/curves.py $(BUILD) $(if $(PLOTS),--plots $(PLOTS)) $(ARGS)

pytorch: configured python-module curves-env  ## execute docs/pytorch.md: from PyTorch through ONNX to int8 on the simulated machine, with ONNX Runtime's results
	@cmake --build $(BUILD) -j $(JOBS) --target tpu _tpu
	@$(BUILD)/curves-env/bin/python tests/pytorch/page.py $(BUILD)

quantise: configured quantise-env  ## train a digits network in bf16, make it int8 with LiteRT's quantiser, run that: accuracy at each stage (ARGS=--help)
	@cmake --build $(BUILD) -j $(JOBS) --target tpu
	@$(BUILD)/quantise-env/bin/python tests/conformance/quantise.py $(BUILD) $(ARGS)

vectors: python-env int16-env  ## write models/vectors, models/float_vectors and models/host_vectors again: the models with expected outputs that `make test` runs
	@$(PYTHON) tests/conformance/vectors.py models/vectors $(BUILD)/int16-env/bin/python
	@$(PYTHON) tests/conformance/float_vectors.py models/float_vectors
	@$(PYTHON) tests/conformance/host_vectors.py models/host_vectors

sanitize: configured  ## the tests with AddressSanitizer and UndefinedBehaviorSanitizer (TEST=regex chooses)
	@scripts/require_tools.sh sanitize
	@scripts/sanitize.sh $(BUILD) $(JOBS) '$(TEST)'

fresh:  ## make sim and make test in a new, bare Debian, as root (SUITE=bookworm, SUITE=trixie; ARGS=sim: that alone)
	@scripts/fresh.sh $(BUILD) $(SUITE) $(JOBS) $(ARGS)

soak: configured  ## random programs, RTL against golden model, N = 4 to 32, with bf16, and 64 (SECONDS=n each, SEED=s); makes failing ones small
	@cmake --build $(BUILD) -j $(JOBS) --target tpu_soak tpu_soak_bf16 tpu_soak_n64
	$(BUILD)/bin/tpu_soak --seconds $(SECONDS) --seed $(SEED) --out $(BUILD)
	$(BUILD)/bin/tpu_soak_bf16 --seconds $(SECONDS) --seed $(SEED) --out $(BUILD)
	$(BUILD)/bin/tpu_soak_n64 --seconds $(SECONDS) --seed $(SEED) --out $(BUILD)

float-sweep: configured  ## every input of the floating-point functions and 10^9 multiply-adds against the host's (ARGS=--help)
	@cmake --build $(BUILD) -j $(JOBS) --target tpu_float_sweep
	$(BUILD)/bin/tpu_float_sweep --json $(BUILD)/float_sweep.json $(ARGS)

coverage: configured  ## what the tests reach of the C++ (lines) and of rtl/ (lines, branches, toggles) (ARGS=--report prints the last run)
	@scripts/require_tools.sh build test
	@python3 scripts/coverage_cxx.py $(BUILD) -j $(JOBS) $(ARGS)
	@python3 scripts/coverage.py $(BUILD) -j $(JOBS) $(ARGS)

lint:  ## Verilator, Icarus and yosys on every module; clang-format on all C++; licences, lengths
	@scripts/require_tools.sh lint
	@scripts/lint.sh $(JOBS)

tidy: configured tidy-env  ## clang-tidy on all C++ (ARGS=--quick: not on tests)
	@cmake --build $(BUILD) -j $(JOBS) --target $(if $(findstring --quick,$(ARGS)),tpu_generated,tpu_generated_tests)
	@python3 scripts/tidy.py $(BUILD) $(JOBS) $(ARGS)

formal:  ## prove properties of the RTL's building blocks (ARGS=--self-test checks the proofs, ARGS=--list explains them)
	@scripts/require_tools.sh formal
	@python3 scripts/formal.py $(BUILD) -j $(JOBS) $(ARGS)

mutate:  ## change the RTL in one place at a time and expect a test to fail (ARGS='--seed 2', --file, --mutant, --all)
	@scripts/require_tools.sh build formal
	@python3 scripts/mutate.py $(BUILD) -j $(JOBS) $(ARGS)

wave: configured  ## record a small run and open it in GTKWave (TEST=regex records tests instead)
	@scripts/wave.sh $(BUILD) $(JOBS) '$(TEST)'

synth:  ## synthesise for ECP5 and Xilinx 7, check what was inferred and print the resources by module (CONFIG=N4, N8, N16)
	@scripts/require_tools.sh synth
	@python3 scripts/synth.py $(BUILD) --config $(CONFIG)

fit: fit-env  ## place and route for ECP5 with three seeds: resources, clock, worst paths (CONFIG=N8, DEVICE=85F, ARGS=--help)
	@$(BUILD)/fit-env/bin/python scripts/fit.py $(BUILD) $(CONFIG) --device $(DEVICE) $(ARGS)

fpga: fit-env board-env  ## the bitstream of a board, from LiteX to ecppack, or its project for Vivado (BOARD=ulx3s, ecpix5 or arty, ARGS=--help)
	@$(BUILD)/fit-env/bin/python scripts/fpga.py $(BUILD) $(BOARD) $(ARGS)

netlist-sim: configured fit-env board-env  ## the machine, and a whole ULX3S, after synthesis for ECP5, from random contents (NETLIST=N4: the ULX3S's, ARGS='--seeds 4,5')
	@$(BUILD)/fit-env/bin/python scripts/board_netlist.py $(BUILD) --config $(NETLIST)
	@cmake -DTPU_FIT_PYTHON=$(abspath $(BUILD))/fit-env/bin/python -DTPU_NETLIST=$(abspath $(BUILD))/netlist/ulx3s-$(NETLIST)/cells.v $(BUILD) > /dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target netlist_test primitives_test tpu tpu_board_sim
	@scripts/run_tests.sh $(BUILD) $(JOBS) '^(netlist|primitives)_'
	@tests/board/netlist_test.py $(BUILD)/bin $(ARGS)

equivalence: fit-env  ## prove yosys' netlist of each module for ECP5 equal to its RTL (CONFIG=N8, ARGS=MODULE, ARGS=--help)
	@scripts/require_tools.sh formal
	@$(BUILD)/fit-env/bin/python scripts/netlist_equivalence.py $(BUILD)/equivalence $(CONFIG) $(ARGS)

docs-api: configured  ## the public headers as HTML, in build/docs-api; fails where one is not documented
	@scripts/require_tools.sh docs
	@scripts/docs_api.sh $(BUILD)

format:  ## format all C++ in place, and say the licence in new files
	@scripts/require_tools.sh format
	@python3 scripts/licence.py --add
	@git ls-files -z '*.cpp' '*.h' | xargs -0 clang-format -i

generate: configured  ## write the files that are made from .def files
	@cmake --build $(BUILD) -j $(JOBS) --target tpu_gen
	$(BUILD)/bin/tpu_gen .

clean:  ## remove all that was built
	rm -rf $(BUILD)

# Not a file on purpose: the tools are checked every time, CMake configures itself again when it has to.
.PHONY: configured
configured:
	@scripts/require_tools.sh build
	@test -f $(BUILD)/build.ninja || cmake -S . -B $(BUILD) -G Ninja -DCMAKE_CXX_COMPILER=$(CXX)

# $(call where_possible,TARGET,VARIABLE,FOLDER,WORDS): TARGET makes a virtual environment in FOLDER, whose Python CMake gets as VARIABLE. Where that is impossible
# `make test` goes on and says WORDS; continuous integration fails.
define where_possible
@if $(MAKE) --no-print-directory $(1); then \
  grep -q '^$(2):FILEPATH=.' $(BUILD)/CMakeCache.txt || \
  cmake -D$(2)=$(abspath $(BUILD))/$(3)/bin/python $(BUILD) >/dev/null; \
elif [[ -n $${CI:-} ]]; then exit 1; \
else echo "make test: goes on; $(4)"; fi
endef

.PHONY: python-module boards
python-module: configured
	$(call where_possible,python-build-env,TPU_MODULE_PYTHON,python-env,the Python module is not built)

boards: configured
	$(call where_possible,board-env,TPU_LITEX_PYTHON,board-env,boards with LiteX are not simulated)

# LiteX and LiteDRAM, in a virtual environment.
.PHONY: board-env
board-env:
	@scripts/require_tools.sh python
	@scripts/python_env.sh $(BUILD)/board-env fpga/board_requirements.txt

# nanobind and what the Python package's tests need, in a virtual environment.
.PHONY: python-build-env
python-build-env:
	@scripts/require_tools.sh python
	@scripts/python_env.sh $(BUILD)/python-env python/requirements.txt

# TensorFlow Lite Micro and JAX, in a virtual environment.
.PHONY: python-env
python-env:
	@scripts/require_tools.sh conformance
	@scripts/python_env.sh $(BUILD)/conformance-env tests/conformance/requirements.txt

# A later TensorFlow Lite Micro, in another.
.PHONY: int16-env
int16-env:
	@scripts/require_tools.sh conformance
	@scripts/python_env.sh $(BUILD)/int16-env tests/conformance/int16_requirements.txt

# LiteRT with XNNPACK, in another.
.PHONY: litert-env
litert-env:
	@scripts/require_tools.sh conformance
	@scripts/python_env.sh $(BUILD)/litert-env tests/conformance/litert_requirements.txt

# PyTorch, in one that nothing else needs.
.PHONY: curves-env
curves-env:
	@scripts/require_tools.sh conformance
	@scripts/python_env.sh $(BUILD)/curves-env tests/conformance/curves_requirements.txt

# TensorFlow with Keras, and what executes notebooks.
.PHONY: notebook-env
notebook-env:
	@scripts/require_tools.sh python
	@scripts/python_env.sh $(BUILD)/notebook-env tests/notebooks/requirements.txt

# LiteRT and its quantiser.
.PHONY: quantise-env
quantise-env:
	@scripts/require_tools.sh conformance
	@scripts/python_env.sh $(BUILD)/quantise-env tests/conformance/quantise_requirements.txt

# clang-tidy, in another.
.PHONY: tidy-env
tidy-env:
	@scripts/require_tools.sh tidy
	@scripts/python_env.sh $(BUILD)/tidy-env scripts/tidy_requirements.txt

# yosys and nextpnr, in another.
.PHONY: fit-env
fit-env:
	@scripts/require_tools.sh fit
	@scripts/python_env.sh $(BUILD)/fit-env fpga/requirements.txt

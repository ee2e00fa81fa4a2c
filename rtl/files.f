// All synthesizable files, each below the modules that it uses; paths from the top of the repository.
+incdir+rtl/include
rtl/common/tpu_fifo.v
rtl/common/tpu_ram_1r1w.v
rtl/common/tpu_fifo_ram.v
rtl/common/tpu_loop_address.v
rtl/common/tpu_loop_counter.v
rtl/control/tpu_fetch.v
rtl/control/tpu_decode.v
rtl/control/tpu_semaphores.v
rtl/control/tpu_issue.v
rtl/control/tpu_first_error.v
rtl/control/tpu_frontend.v
rtl/host/tpu_axil.v
rtl/host/tpu_counters.v
rtl/host/tpu_run_control.v
rtl/host/tpu_host.v

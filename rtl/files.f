// All synthesizable files, each below the modules that it uses; paths from the top of the repository.
+incdir+rtl/include
rtl/common/tpu_fifo.v
rtl/common/tpu_ram_1r1w.v
rtl/common/tpu_fifo_ram.v
rtl/common/tpu_loop_address.v
rtl/common/tpu_loop_counter.v

// SPDX-License-Identifier: Apache-2.0
// An ADAM to those who walk the loops of instructions: an FVECTOR with windows of two taps, of which one tap reads the sum of squares and
// the gradient, the other one moment and weight. The result is what an ADAM has besides its own fields. Included within a module.
function [`TPU_VECTOR_USED-1:0] adam_walk;
  input adam;
  begin
    adam_walk = {`TPU_VECTOR_USED{1'b0}};
    if (adam) begin
      adam_walk[`TPU_FVECTOR_A_FORMAT] = `TPU_NUMBER_FORMAT_FP32;
      adam_walk[`TPU_FVECTOR_B_FORMAT] = `TPU_NUMBER_FORMAT_FP32;
      adam_walk[`TPU_FVECTOR_O_FORMAT] = `TPU_NUMBER_FORMAT_FP32;
      adam_walk[`TPU_FVECTOR_MAP]      = `TPU_FLOAT_MAP_ADD;
      // No sum, whose taps would keep apart
      adam_walk[`TPU_FVECTOR_REDUCE]   = `TPU_FLOAT_REDUCE_MAX;
      adam_walk[`TPU_FVECTOR_N_CB]     = 16'd1;
      adam_walk[`TPU_FVECTOR_N_OH]     = 16'd1;
      adam_walk[`TPU_FVECTOR_N_KH]     = 16'd2;
      adam_walk[`TPU_FVECTOR_N_KW]     = 16'd1;
      adam_walk[`TPU_FVECTOR_A_OW]     = 16'd4;
      adam_walk[`TPU_FVECTOR_B_OW]     = 16'd4;
      adam_walk[`TPU_FVECTOR_O_OW]     = 16'd4;
      adam_walk[`TPU_FVECTOR_Y_BOUND]  = 16'd1;
      adam_walk[`TPU_FVECTOR_X_BOUND]  = 16'd1;
    end
  end
endfunction

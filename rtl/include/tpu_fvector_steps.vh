// SPDX-License-Identifier: Apache-2.0
// Steps of an FVECTOR's function in tpu_float_function; 0: the number does not go there. Included within a module.
function [3:0] function_steps;
  input [3:0] fn;
  begin
    case (fn)
      `TPU_FLOAT_FUNCTION_EXP:        function_steps = 4'd8;
      `TPU_FLOAT_FUNCTION_LOG:        function_steps = 4'd5;
      `TPU_FLOAT_FUNCTION_RECIPROCAL: function_steps = 4'd4;
      `TPU_FLOAT_FUNCTION_RSQRT:      function_steps = 4'd4;
      `TPU_FLOAT_FUNCTION_TANH:       function_steps = 4'd6;
      `TPU_FLOAT_FUNCTION_LOGISTIC:   function_steps = 4'd13;
      default:                        function_steps = 4'd0;
    endcase
  end
endfunction

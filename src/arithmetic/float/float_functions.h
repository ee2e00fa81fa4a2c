// SPDX-License-Identifier: Apache-2.0
// The floating-point functions of the vector unit, to the bit: each is a table of cubic
// polynomials, evaluated with operations of float32.h in the order that docs/float.md prints.
#pragma once

namespace tpu::arithmetic {

float Exp(float x);
float Log(float x);
float Reciprocal(float x);
float ReciprocalSquareRoot(float x);
float Tanh(float x);
float Logistic(float x);

}  // namespace tpu::arithmetic

// SPDX-License-Identifier: Apache-2.0
// The operators of host calls in a .tpu file.
#pragma once

#include "executable/executable_file_generated.h"
#include "host_operators/host_operators.h"

namespace tpu::executable {

/// A member of the union HostOperator.
struct WrittenOperator {
  schema::HostOperator type = schema::HostOperator::NONE;
  flatbuffers::Offset<void> table;
};

WrittenOperator WriteOperator(flatbuffers::FlatBufferBuilder& builder,
                              const host_operators::Attributes& attributes);

/// Of a call that the verifier has accepted. Throws tpu::Error for an operator that is unknown.
host_operators::Attributes ReadOperator(const schema::HostCall& call);

}  // namespace tpu::executable

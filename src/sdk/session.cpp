// SPDX-License-Identifier: Apache-2.0
#include "tpu/session.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "runtime/session.h"
#include "sdk/contents.h"

namespace tpu {
namespace {

// The place of the tensor of that name and type.
std::size_t Find(const std::vector<executable::TensorBinding>& bindings, const char* kind,
                 std::string_view name, ElementType type) {
  const auto found = std::ranges::find(bindings, name, &executable::TensorBinding::name);
  if (found == bindings.end()) {
    std::string names;
    for (const executable::TensorBinding& b : bindings)
      names += names.empty() ? b.name : ", " + b.name;
    throw Error::Format("the program has no {} named {}; it has: {}", kind, name, names);
  }
  if (found->type != type) {
    throw Error::Format("{} {} has elements of type {}, not {}", kind, name,
                        ElementTypeName(found->type), ElementTypeName(type));
  }
  return static_cast<std::size_t>(found - bindings.begin());
}

}  // namespace

struct Session::State {
  State(std::span<Device* const> devices, const Program& p)
      : program(p), session(devices, executable()) {}
  [[nodiscard]] const executable::Executable& executable() const {
    return program.contents_->executable;
  }

  Program program;  ///< Keeps alive what the session refers to.
  runtime::Session session;
};

Session::Session(Device& device, const Program& program) : Session(std::array{&device}, program) {}
Session::Session(std::span<Device* const> devices, const Program& program)
    : state_(std::make_unique<State>(devices, program)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

void Session::WriteInput(std::string_view name, ElementType type,
                         std::span<const std::uint8_t> bytes) {
  state_->session.SetInputBytes(Find(state_->executable().inputs, "input", name, type), bytes);
}

Report Session::Run(const RunOptions& options) {
  const runtime::RunReport report = state_->session.Run(options);
  return {.macs = report.macs,
          .cycles = report.cycles,
          .counters = {report.counters.begin(), report.counters.end()}};
}

void Session::ResetStates() { state_->session.ResetStates(); }

std::vector<std::uint8_t> Session::ReadOutput(std::string_view name, ElementType type) const {
  return state_->session.OutputBytes(Find(state_->executable().outputs, "output", name, type));
}

}  // namespace tpu

// SPDX-License-Identifier: Apache-2.0
// A line at another computer: who gets it, and what happens when one of the two goes away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <thread>

#include "base/error.h"
#include "link/tcp_client.h"
#include "link/tcp_server.h"

namespace tpu::link {
namespace {

using std::chrono_literals::operator""ms;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr unsigned kBytesPerSecond = 12'345;
const std::string kToken = "secret";

/// A server whose line ends in the test, for one client.
class Served {
 public:
  Served() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()), 0);
    line_.emplace("the line", ends_[0], kBytesPerSecond);
    board_.emplace("the board", ends_[1], kBytesPerSecond);
    thread_ = std::thread([this] { outcome_ = server_.ServeOne(*line_); });
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served() {
    if (thread_.joinable()) thread_.join();
  }

  [[nodiscard]] std::string port() const { return std::to_string(server_.port()); }
  DescriptorWire& board() { return *board_; }
  void UnplugBoard() { board_.reset(); }
  /// Why the client left.
  std::string Outcome() {
    thread_.join();
    return outcome_;
  }

 private:
  std::array<int, 2> ends_{};
  std::optional<DescriptorWire> line_;
  std::optional<DescriptorWire> board_;
  TcpServer server_{"127.0.0.1", 0, kToken};
  std::thread thread_;
  std::string outcome_;
};

std::string ReceiveText(DescriptorWire& wire, std::size_t count) {
  std::string text(count, ' ');
  std::size_t received = 0;
  while (received < count) {
    const std::size_t more = wire.Receive(
        std::span(reinterpret_cast<std::uint8_t*>(text.data()), count).subspan(received), 5'000ms);
    if (more == 0) break;
    received += more;
  }
  return text.substr(0, received);
}

void SendText(DescriptorWire& wire, const std::string& text) {
  wire.Send(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

TEST(Tcp, CarriesBytesForAClientWithTheToken) {
  Served served;
  {
    TcpClient client("127.0.0.1", served.port(), kToken);
    EXPECT_EQ(client.BytesPerSecond(), kBytesPerSecond);
    SendText(client, "hello");
    EXPECT_EQ(ReceiveText(served.board(), 5), "hello");
    const std::string large(200'000, 'x');
    std::thread board([&] { SendText(served.board(), large); });
    EXPECT_EQ(ReceiveText(client, large.size()), large);
    board.join();
  }
  EXPECT_THAT(served.Outcome(), HasSubstr("the other end closed it"));
}

TEST(Tcp, RefusesOtherTokens) {
  for (const char* token : {"secreT", "secret2", "secre", "", "GET / HTTP/1.1"}) {
    Served served;
    EXPECT_THAT([&] { TcpClient("127.0.0.1", served.port(), token); },
                ThrowsMessage<Error>(HasSubstr("did not take the token")))
        << token;
    EXPECT_EQ(served.Outcome(), "the client has not the token");
    std::array<std::uint8_t, 8> bytes;
    EXPECT_EQ(served.board().Receive(bytes, 0ms), 0U) << "nothing of it reaches the board";
  }
}

TEST(Tcp, TellsBothThatTheOtherOneIsGone) {
  Served served;
  TcpClient client("127.0.0.1", served.port(), kToken);
  served.UnplugBoard();
  EXPECT_THAT(served.Outcome(), HasSubstr("the line: the line is gone"));
  std::array<std::uint8_t, 8> bytes;
  EXPECT_THAT([&] { client.Receive(bytes, 5'000ms); }, ThrowsMessage<Error>(HasSubstr("is gone")));
}

TEST(Tcp, NamesWhereNobodyListens) {
  std::string port;
  {
    const TcpServer server("127.0.0.1", 0, kToken);
    port = std::to_string(server.port());
    EXPECT_THAT([&] { TcpServer("127.0.0.1", server.port(), kToken); },
                ThrowsMessage<Error>(HasSubstr("cannot be listened at: Address already in use")));
  }
  EXPECT_THAT([&] { TcpClient("127.0.0.1", port, kToken); },
              ThrowsMessage<Error>(HasSubstr("no connection: Connection refused")));
  EXPECT_THAT([] { TcpServer("nowhere", 0, kToken); },
              ThrowsMessage<Error>(HasSubstr("nowhere:0: cannot be listened at")));
}

TEST(Tcp, TokensAreRandom) {
  EXPECT_EQ(RandomToken().size(), 32U);
  EXPECT_NE(RandomToken(), RandomToken());
}

}  // namespace
}  // namespace tpu::link

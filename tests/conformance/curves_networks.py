# SPDX-License-Identifier: Apache-2.0
"""The networks of src/workloads/networks.h in PyTorch, and their training from given weights.

Arithmetic is float32 ("float32"), float32 with the operands of products rounded to bfloat16 as on the device ("operands"), or what
PyTorch's autocast makes of bfloat16 ("autocast"). MISTAKES are what the comparison has to notice.
"""
import math

import torch
import torch.nn.functional as F

ARITHMETIC = ("float32", "operands", "autocast")
MISTAKES = ("rate", "bias", "optimizer", "relu")
OPTIMIZERS = {
    "sgd": lambda weights, rate: torch.optim.SGD(weights, lr=rate),
    "momentum": lambda weights, rate: torch.optim.SGD(weights, lr=rate, momentum=0.9),
    "adam": lambda weights, rate: torch.optim.Adam(weights, lr=rate, betas=(0.9, 0.999), eps=1e-8),
}
WRONG_OPTIMIZERS = {  # Decay that nobody asked for, too short memories.
    "sgd": lambda weights, rate: torch.optim.SGD(weights, lr=rate, weight_decay=0.01),
    "momentum": lambda weights, rate: torch.optim.SGD(weights, lr=rate, momentum=0.8),
    "adam": lambda weights, rate: torch.optim.Adam(weights, lr=rate, betas=(0.8, 0.999), eps=1e-8),
}
# A softmax is the same whatever is added to all its inputs, so that the biases of keys have the gradient 0. What they get is rounding
# errors, of which Adam makes whole steps.
WITHOUT_GRADIENT = {"transformer": ("bias23", "bias82")}


def to_bfloat16(x):
    return x.to(torch.bfloat16).to(torch.float32)


class Operand(torch.autograd.Function):
    """Rounds a value on the way forward."""

    @staticmethod
    def forward(context, x):
        return to_bfloat16(x)

    @staticmethod
    def backward(context, gradient):
        return gradient


class Result(torch.autograd.Function):
    """Rounds the gradient on the way back."""

    @staticmethod
    def forward(context, x):
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        return to_bfloat16(gradient)


class OpenRelu(torch.autograd.Function):
    """A RELU that lets all of the gradient through: a mistake."""

    @staticmethod
    def forward(context, x):
        return x.relu()

    @staticmethod
    def backward(context, gradient):
        return gradient


class Network:
    """Takes weights in the order in which the graph has them. Images have the channels last, as TensorFlow Lite has them."""

    def __init__(self, weights, arithmetic, mistake=None):
        self.weights, self.arithmetic, self.mistake = weights, arithmetic, mistake
        self.next = None

    def parameter(self, bias=False):
        weights = next(self.next)
        return weights.detach() if bias and self.mistake == "bias" else weights

    def product(self, function, a, b):
        if self.arithmetic != "operands":
            return function(a, b)
        return Result.apply(function(Operand.apply(a), Operand.apply(b)))

    def activated(self, x, relu):
        if relu and self.mistake == "relu":
            return OpenRelu.apply(x)
        return x.relu() if relu else x

    def layer(self, x, relu=False):
        y = self.product(F.linear, x, self.parameter())
        return self.activated(y + self.parameter(bias=True), relu)

    def convolution(self, x, stride=1, relu=False, depthwise=False):
        weights = self.parameter().permute((3, 0, 1, 2) if depthwise else (0, 3, 1, 2))
        size, window = x.shape[1], weights.shape[2]
        pad = max((-(-size // stride) - 1) * stride + window - size, 0)  # TensorFlow's SAME: the odd one behind.
        x = F.pad(x.permute(0, 3, 1, 2), (pad // 2, pad - pad // 2) * 2)
        y = self.product(lambda a, b: F.conv2d(a, b, stride=stride, groups=x.shape[1] if depthwise else 1), x, weights)
        return self.activated(y.permute(0, 2, 3, 1) + self.parameter(bias=True), relu)

    def pool(self, x):
        return F.max_pool2d(x.permute(0, 3, 1, 2), 2).permute(0, 2, 3, 1)

    def mean(self, x):
        return x.mean((1, 2))

    def normalised(self, x):
        centred = x - x.mean(-1, keepdim=True)
        variance = (centred * centred).mean(-1, keepdim=True)
        return centred * torch.rsqrt(variance + 1e-3) * self.parameter() + self.parameter(bias=True)

    def attention(self, x, heads):
        batch, tokens, channels = x.shape
        queries, keys, values = (self.layer(x).reshape(batch, tokens, heads, -1).transpose(1, 2) for _ in range(3))
        scores = self.product(torch.matmul, queries, keys.transpose(2, 3)) / math.sqrt(channels // heads)
        shares = torch.softmax(scores + torch.full((tokens, tokens), -1e4).triu(1), -1)
        sums = self.product(torch.matmul, shares, values)
        return self.layer(sums.transpose(1, 2).reshape(batch, tokens, channels))

    def mlp(self, x):
        for _ in range(len(self.weights) // 2 - 1):
            x = self.layer(x, relu=True)
        return self.layer(x)

    def lenet(self, x):
        x = self.pool(self.convolution(x, relu=True))
        x = self.pool(self.convolution(x, relu=True))
        return self.layer(self.layer(x.flatten(1), relu=True))

    def resnet8(self, x):
        x = self.convolution(x, relu=True)
        for stride in (1, 2, 2):
            y = self.convolution(self.convolution(x, stride, relu=True))
            x = self.activated((self.convolution(x, stride) if stride > 1 else x) + y, relu=True)
        return self.layer(self.mean(x))

    def mobilenet(self, x):
        x = self.convolution(x, 2, relu=True)
        for stride in (2, 2, 1):
            x = self.convolution(x, stride, relu=True, depthwise=True)
            x = self.convolution(x, relu=True)
        return self.layer(self.mean(x))

    def transformer(self, x):
        x = self.layer(x) + self.parameter()
        for _ in range(2):
            x = x + self.attention(self.normalised(x), 2)
            x = x + self.layer(self.layer(self.normalised(x), relu=True))
        return self.layer(self.normalised(x))

    def predict(self, name, x):
        self.next = iter(self.weights)
        with torch.autocast("cpu", torch.bfloat16, enabled=self.arithmetic == "autocast"):
            prediction = getattr(self, name)(x)
        assert next(self.next, None) is None, "the graph has more weights"
        return prediction.float()


def train(run, initial, arithmetic, mistake=None, weights_after=()):
    """The losses of all steps, and the weights after some. `initial` is what the device began with: curves.Folder."""
    weights = [torch.tensor(values, requires_grad=True) for values in initial.weights(0)]
    network = Network(weights, arithmetic, mistake)
    rate = run.rate * (1.1 if mistake == "rate" else 1)
    optimizer = (WRONG_OPTIMIZERS if mistake == "optimizer" else OPTIMIZERS)[run.optimizer](weights, rate)
    losses, kept = [], {}
    for step in range(run.steps + 1):
        if step in weights_after:
            kept[step] = [values.detach().numpy().copy() for values in weights]
        if step == run.steps:
            break
        examples = slice(step * run.batch, (step + 1) * run.batch)
        prediction = network.predict(run.network, torch.from_numpy(initial.inputs[examples]))
        wanted = torch.from_numpy(initial.labels[examples]).long()
        loss = F.cross_entropy(prediction.flatten(0, -2), wanted.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, kept

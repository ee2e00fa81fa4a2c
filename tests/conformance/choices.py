# SPDX-License-Identifier: Apache-2.0
"""The numbers that a random model is made from, as a list that can be kept, replayed and made smaller."""
import hashlib
import time

import numpy as np

MASK = 2**64 - 1


def splitmix(x):
    """A 64-bit hash of integers, or of an array of them; the same in every version of every library."""
    with np.errstate(over="ignore"):
        x = np.asarray(x, dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def random_words(seed, count):
    start = int(splitmix(seed & MASK))
    return splitmix(np.arange(count, dtype=np.uint64) + np.uint64(start))


class Choices:
    """Draws numbers from a seed, or from a list. 0 is the simplest choice, and what comes after the end of a list."""

    def __init__(self, seed=None, replay=None):
        self.taken = []
        self.replay = replay
        if seed is not None:
            self.state = int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:8], "little")

    def below(self, n):
        """0 to n - 1."""
        if self.replay is None:
            self.state = int(splitmix(self.state))
            value = self.state % n
        else:
            at = len(self.taken)
            value = min(self.replay[at], n - 1) if at < len(self.replay) else 0
        self.taken.append(value)
        return value

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def pick(self, options):
        """The first one is the simplest."""
        return options[self.below(len(options))]

    def chance(self, percent):
        """False is the simple answer."""
        return self.below(100) >= 100 - percent


def smaller(choices, fails, seconds):
    """A simpler list of choices for which `fails` still holds: it gives the choices that were taken, or None."""
    best, end = list(choices), time.monotonic() + seconds

    def order(c):
        return sum(v != 0 for v in c), len(c), c

    def attempt(candidate):
        nonlocal best
        if time.monotonic() >= end or order(candidate) >= order(best):
            return False
        kept = fails(candidate)
        if kept is None or order(kept) >= order(best):
            return False
        best = list(kept)
        return True

    def everywhere(edit, size):
        """Tries the edit of `size` choices at all places."""
        at, changed = 0, False
        while at < len(best):
            if attempt(edit(best[:at], best[at:at + size], best[at + size:])):
                changed = True
            else:
                at += size
        return changed

    progress = True
    while progress and time.monotonic() < end:
        progress = False
        size = len(best)
        while size >= 1:  # The simplest choices, then none at all.
            progress |= everywhere(lambda before, part, after: before + [0] * len(part) + after, size)
            progress |= everywhere(lambda before, part, after: before + after, size)
            size //= 2
        for at in range(len(best)):  # Each choice as small as it can be.
            low = 0
            while at < len(best) and low < best[at]:
                middle = (low + best[at]) // 2
                if attempt(best[:at] + [middle] + best[at + 1:]):
                    progress = True
                else:
                    low = middle + 1
    return best

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the tables of the floating-point functions, for the golden model (C++) and for the RTL (Verilog).

Every function is a table of cubic polynomials in t, the distance of the argument from the point that a segment's table entry stands for:
    f(point + t) = c0 + t * (c1 + t * (c2 + t * c3))
(For exp, c1 is something else: see exp_entries.)
docs/float.md says which segment an argument belongs to and how the polynomial is evaluated. An entry is 108 bits: c0 and c1 are fp32 words,
c2 the upper 28 bits and c3 the upper 16 bits of fp32 words. c0 is f(point), rounded. The other coefficients make the cubic meet f at
Chebyshev points; what rounding takes from c3 is made good by c2 as well as a parabola can, and what it takes from c2 by c1.

Decimal arithmetic of 60 digits only, so that the files are the same wherever they are made.

    float_tables.py           write the files
    float_tables.py --check   fail when the files are not what would be written
    float_tables.py --hex F   print the entries of function F
"""

import argparse
import sys
from decimal import Decimal, getcontext
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = ROOT / "src" / "arithmetic" / "float" / "float_tables.h"
VERILOG = ROOT / "rtl" / "include" / "tpu_float_tables.vh"
getcontext().prec = 60
ENTRIES = 512
# First entry of each function, and how many significant bits a coefficient has.
BASES = {"exp": 0, "logistic": 64, "reciprocal": 128, "rsqrt": 192, "log": 256, "tanh": 384}
BITS = (24, 24, 20, 8)
LN2 = Decimal(2).ln()


def chebyshev_roots():
    """Of the Chebyshev polynomials of degrees 1 to 4, rising; cosines in closed form."""
    two, three = Decimal(2).sqrt(), Decimal(3).sqrt()
    positive = {1: [], 2: [two / 2], 3: [three / 2], 4: [(2 - two).sqrt() / 2, (2 + two).sqrt() / 2]}
    return {d: [-r for r in reversed(p)] + [Decimal(0)] * (d % 2) + p for d, p in positive.items()}


CHEBYSHEV = chebyshev_roots()


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator) if isinstance(x, Fraction) else Decimal(x)


def rounded(x, bits):
    """x to the nearest number of so many significant bits, ties to even."""
    if x == 0:
        return Fraction(0)
    exact = Fraction(x)
    exponent = abs(exact).numerator.bit_length() - abs(exact).denominator.bit_length()
    exponent -= abs(exact) < Fraction(2) ** exponent
    unit = Fraction(2) ** (exponent - bits + 1)
    return round(exact / unit) * unit


def word(x):
    """The fp32 word of a number that is one."""
    if x == 0:
        return 0
    exponent = abs(x).numerator.bit_length() - abs(x).denominator.bit_length()
    exponent -= abs(x) < Fraction(2) ** exponent
    mantissa = abs(x) / Fraction(2) ** (exponent - 23)
    assert mantissa.denominator == 1 and 1 <= exponent + 127 <= 254
    return (x < 0) << 31 | (exponent + 127) << 23 | (int(mantissa) - (1 << 23))


def nodes(count, span, keep_zero):
    """Chebyshev points of (0, span); with keep_zero, of a polynomial of one degree more whose first root is moved to zero."""
    roots = CHEBYSHEV[count + 1 if keep_zero else count]
    left = roots[0] if keep_zero else Decimal(-1)
    return [span * (r - left) / (1 - left) for r in (roots[1:] if keep_zero else roots)]


def interpolate(points, values):
    """The coefficients, lowest first, of the polynomial through the points."""
    n = len(points)
    matrix = [[p**k for k in range(n)] + [v] for p, v in zip(points, values)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda row: abs(matrix[row][i]))
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        for row in range(n):
            if row != i:
                factor = matrix[row][i] / matrix[i][i]
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], matrix[i])]
    return [matrix[i][n] / matrix[i][i] for i in range(n)]


def fit(f, point, span):
    """c0 .. c3 for t between 0 and span (which may be negative)."""
    point, span = decimal(point), decimal(span)
    start = f(point)
    fixed = []  # c3, then c2, then c1
    for count in (3, 2, 1):
        # f is zero at the point: the relative error counts there, not the absolute one.
        where = nodes(count, span, keep_zero=start != 0)
        slope = [(f(point + t) - start) / t - sum(decimal(c) * t ** (2 - i) for i, c in enumerate(fixed)) for t in where]
        fixed.append(rounded(interpolate(where, slope)[count - 1], BITS[count]))
    return [rounded(start, BITS[0])] + fixed[::-1]


def exp_entries():
    """2^(i/64), for t around zero. c1 would equal c0: in its place stands what rounding took from c0."""
    for i in range(64):
        power = (LN2 * i / 64).exp()
        high = rounded(power, BITS[0])
        yield [high, rounded(power - decimal(high), BITS[1]), rounded(power / 2, BITS[2]), rounded(power / 6, BITS[3])]


def log_entries():
    """Segments of 1/128 from 1 to 181/128, from the left; then of 1/256 from 181/256 to 1, from the right."""
    for i in range(128):
        if i < 53:
            yield fit(Decimal.ln, Fraction(128 + i, 128), Fraction(1, 128))
        else:
            yield fit(Decimal.ln, Fraction(128 + i + 1, 256), Fraction(-1, 256))


def reciprocal_entries():
    for i in range(64):
        yield fit(lambda x: 1 / x, Fraction(64 + i, 64), Fraction(1, 64))


def rsqrt_entries():
    """32 segments from 1 to 2, then 32 from 2 to 4."""
    for i in range(64):
        scale = 1 + i // 32
        yield fit(lambda x: 1 / x.sqrt(), Fraction(scale * (32 + i % 32), 32), Fraction(scale, 32))


def logistic_entries():
    """-z / (1 + z), segments of 1/32 from 0 to 1, and 1."""
    for i in range(33):
        yield fit(lambda z: -z / (1 + z), Fraction(i, 32), Fraction(1, 32))


def tanh(x):
    square = (2 * x).exp()
    return (square - 1) / (square + 1)


def tanh_ratio(u):
    """tanh(x) / x - 1 of u = x^2."""
    if u == 0:
        return Decimal(0)
    return tanh(u.sqrt()) / u.sqrt() - 1


def tanh_entries():
    """Segments of x from 1/2 to 16, then of u = x^2 below 1/4."""
    for exponent, bits in ((-1, 4), (0, 5), (1, 5), (2, 5), (3, 3)):
        width = Fraction(2) ** (exponent - bits)
        for i in range(1 << bits):
            yield fit(tanh, Fraction(2) ** exponent + i * width, width)
    for point, width in ((0, 2), (2, 2), (4, 2), (6, 2)):
        yield fit(tanh_ratio, Fraction(point, 32), Fraction(width, 32))


GENERATORS = {
    "exp": exp_entries, "log": log_entries, "reciprocal": reciprocal_entries,
    "rsqrt": rsqrt_entries, "logistic": logistic_entries, "tanh": tanh_entries,
}  # fmt: skip


def table():
    words = [[0, 0, 0, 0] for _ in range(ENTRIES)]
    for name, base in BASES.items():
        for i, entry in enumerate(GENERATORS[name]()):
            words[base + i] = [word(c) for c in entry]
    assert all(w[2] & 0xF == 0 and w[3] & 0xFFFF == 0 for w in words)
    return words


def cpp(words):
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "// Generated by scripts/float_tables.py. Do not edit.",
        "#pragma once",
        "",
        "#include <array>",
        "#include <cstdint>",
        "",
        "namespace tpu::arithmetic {",
        "",
        "// The coefficients c0, c1, c2 and c3 of each segment as fp32 words, and the first entry of each",
        "// function.",
    ]
    lines += [f"inline constexpr int k{name.capitalize()}Entry = {base};" for name, base in BASES.items()]
    lines += ["// clang-format off", f"inline constexpr std::array<std::array<std::uint32_t, 4>, {ENTRIES}> kFloatEntries{{{{"]
    for start in range(0, ENTRIES, 2):
        lines.append("  " + " ".join("{" + ", ".join(f"0x{c:08X}" for c in w) + "}," for w in words[start : start + 2]))
    lines += ["}};", "// clang-format on", "", "}  // namespace tpu::arithmetic", ""]
    return "\n".join(lines)


def verilog(words):
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "// Generated by scripts/float_tables.py. Do not edit.",
        "// The items of a case statement over a 9-bit address that assigns {c0, c1, c2[31:4], c3[31:16]} to `entry`.",
    ]
    for address, (c0, c1, c2, c3) in enumerate(words):
        if any((c0, c1, c2, c3)):
            lines.append(f"9'd{address}: entry = 108'h{c0:08X}_{c1:08X}_{c2 >> 4:07X}_{c3 >> 16:04X};")
    lines += ["default: entry = 108'h0;", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail when the files are not what would be written")
    parser.add_argument("--hex", choices=BASES, help="print the entries of a function")
    options = parser.parse_args()
    words = table()
    if options.hex:
        base = BASES[options.hex]
        for i in range(base, min([b for b in BASES.values() if b > base] + [ENTRIES])):
            print(i - base, *(f"{c:08X}" for c in words[i]))
        return 0
    stale = 0
    for path, text in ((HEADER, cpp(words)), (VERILOG, verilog(words))):
        if options.check:
            if not path.exists() or path.read_text() != text:
                print(f"{path.relative_to(ROOT)} is stale: run scripts/float_tables.py", file=sys.stderr)
                stale = 1
        else:
            path.write_text(text)
    return stale


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Curves of losses as a small SVG."""
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 460, 250, 44, 30, 12, 34
COLOURS = ("#c44", "#26b")
DASHES = ("", ' stroke-dasharray="5 3"')


def ticks(largest, wanted=5):
    """Round numbers from 0 up to `largest`."""
    step = next(s for k in range(-3, 9) for s in (10**k, 2 * 10**k, 5 * 10**k) if largest / s <= wanted)
    return [round(step * i, 6) for i in range(int(largest / step) + 1)]


def svg(title, curves):
    """`curves` is a list of (name, losses), the later ones on top."""
    steps, top = max(len(losses) for _, losses in curves), 1.05 * max(max(losses) for _, losses in curves)
    across = (WIDTH - LEFT - RIGHT) / max(steps - 1, 1)
    down = (HEIGHT - TOP - BOTTOM) / top
    bottom = HEIGHT - BOTTOM
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="11">', f'<title>{title}</title>', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="18" font-size="13">{title}</text>'
    ]
    for loss in ticks(top):
        y = bottom - loss * down
        lines.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/><text x="{LEFT - 5}" y="{y + 4:.1f}" '
                     f'text-anchor="end">{loss:g}</text>')
    for step in ticks(steps - 1):
        if step == int(step):
            lines.append(f'<text x="{LEFT + step * across:.1f}" y="{bottom + 14}" text-anchor="middle">{int(step) + 1}</text>')
    lines.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 5}" text-anchor="end">step</text>')
    for i, (name, losses) in enumerate(curves):
        points = " ".join(f"{LEFT + k * across:.1f},{bottom - loss * down:.1f}" for k, loss in enumerate(losses))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[i]}" stroke-width="1.5"{DASHES[i]}/>')
        y = TOP + 10 + 15 * i
        lines.append(f'<path d="M{WIDTH - 160} {y - 4}h24" stroke="{COLOURS[i]}" stroke-width="1.5"{DASHES[i]}/>'
                     f'<text x="{WIDTH - 130}" y="{y}">{name}</text>')
    return "\n".join(lines + ["</svg>", ""])

"""Vectors for the integrity signals, SI and TI, from NumPy and SciPy, on pictures made by integer formulas that
test/fixtures/procedural-picture.ts has too; a digest of the samples shows that both made the same ones."""

import hashlib
import json
import sys

import numpy as np
import scipy
from scipy import ndimage


def noise(x, y, c, seed):
    with np.errstate(over="ignore"):
        n = x * np.uint32(73856093) ^ y * np.uint32(19349663) ^ c * np.uint32(83492791) ^ np.uint32(seed * 40503)
        n ^= n >> np.uint32(16)
        n = n * np.uint32(0x7FEB352D)
        n ^= n >> np.uint32(15)
        n = n * np.uint32(0x846CA68B)
        n ^= n >> np.uint32(16)
    return n


FORMULAS = {
    "black": lambda x, y, c, s: x * 0,
    "grey": lambda x, y, c, s: x * 0 + 118,
    "noise": noise,
    "faint": lambda x, y, c, s: 100 + noise(x, y, c, s) % 3,
    "gradient": lambda x, y, c, s: (x * 3 + y * 2 + c * 20 + s) % 256,
    "checker": lambda x, y, c, s: ((((x + s) >> 3) + (y >> 3)) & 1) * 255,
    "rings": lambda x, y, c, s: (((x + s) * (x + s) + y * y) >> 3) & 255,
    "stars": lambda x, y, c, s: np.where(noise(x, y, x * 0, s) % 997 == 0, 255, 2),
    "colours": lambda x, y, c, s: np.where(c == 0, (x * 5) & 255, np.where(c == 1, (y * 5 + s) & 255, 40)),
    "deep": lambda x, y, c, s: (x * 517 + y * 263 + c * 7001 + s) & 65535,
    "logo": lambda x, y, c, s: np.where((x >= 20) & (x < 28) & (y >= 10) & (y < 15), 30 + 60 * c, 255),
    "faint deep": lambda x, y, c, s: 30000 + noise(x, y, c, s) % 900,
}

#           formula, width, height, channels, depth, seed
PICTURES = [
    ("black", 64, 48, 3, 8, 0),
    ("grey", 64, 48, 3, 8, 0),
    ("noise", 61, 37, 3, 8, 1),
    ("noise", 40, 40, 4, 8, 2),
    ("noise", 40, 30, 3, 16, 3),
    ("noise", 33, 30, 4, 16, 4),
    ("faint", 64, 64, 3, 8, 5),
    ("gradient", 100, 50, 3, 8, 0),
    ("gradient", 50, 100, 4, 8, 9),
    ("checker", 64, 64, 3, 8, 0),
    ("rings", 90, 70, 3, 8, 0),
    ("stars", 128, 96, 3, 8, 6),
    ("colours", 80, 60, 3, 8, 0),
    ("deep", 70, 50, 3, 16, 0),
    ("deep", 50, 70, 4, 16, 11),
    ("logo", 120, 80, 3, 8, 0),
    ("faint deep", 64, 64, 3, 16, 12),
    ("noise", 3, 3, 3, 8, 13),
]

#        formula, width, height, step of the seed per frame, frames
CLIPS = [
    ("grey", 48, 32, 0, 3),
    ("noise", 48, 32, 1, 6),
    ("gradient", 64, 36, 7, 8),
    ("checker", 64, 36, 3, 8),
    ("rings", 61, 37, 2, 10),
    ("stars", 96, 54, 1, 5),
    ("colours", 80, 45, 5, 7),
    ("faint", 48, 32, 1, 4),
    ("rings", 3, 3, 1, 4),
    ("rings", 40, 30, 0, 1),
]


def picture(formula, width, height, channels, depth, seed):
    y, x, c = np.meshgrid(*(np.arange(n, dtype=np.uint32) for n in (height, width, channels)), indexing="ij")
    peak = 2**depth - 1
    return (np.asarray(FORMULAS[formula](x, y, c, np.uint32(seed))).astype(np.uint32) & np.uint32(peak)).astype(
        np.uint8 if depth == 8 else "<u2"
    )


def luma_of(data):
    peak = np.iinfo(data.dtype).max
    levels = data.astype(np.float64) * 255 / peak
    luma = 0.299 * levels[..., 0] + 0.587 * levels[..., 1] + 0.114 * levels[..., 2]
    return luma if data.shape[2] == 3 else 255 + (luma - 255) * (data[..., 3] / peak)


def is_blank(levels):
    low, middle, high = np.quantile(levels, [0.005, 0.5, 0.995], method="inverted_cdf")
    return bool(high - low <= 8 and np.mean(np.abs(levels - middle) > 16) <= 1e-5)


def signals(data):
    peak = np.iinfo(data.dtype).max
    shown = data[..., :3].astype(np.float64)
    if data.shape[2] == 4:
        shown = np.floor(peak + (shown - peak) * (data[..., 3:] / peak) + 0.5)
    levels = shown * 255 / peak
    red, green, blue = levels[..., 0], levels[..., 1], levels[..., 2]
    rg, yb = red - green, 0.5 * (red + green) - blue
    luma = luma_of(data)
    laplacian = ndimage.convolve(luma, np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]]))[1:-1, 1:-1]
    return {
        "blank": all(is_blank(np.floor(levels[..., c] + 0.5)) for c in range(3)),
        "lumaMean": luma.mean(),
        "lumaStdDev": luma.std(),
        "clippedLow": np.mean(shown == 0),
        "clippedHigh": np.mean(shown == peak),
        "sharpness": laplacian.var(),
        "colourfulness": np.hypot(rg.std(), yb.std()) + 0.3 * np.hypot(rg.mean(), yb.mean()),
    }


def information(frames):
    si = [
        np.std(np.hypot(ndimage.sobel(frame, axis=0), ndimage.sobel(frame, axis=1))[1:-1, 1:-1]) for frame in frames
    ]
    ti = [np.std(after - before) for before, after in zip(frames, frames[1:])]
    means = [frame.mean() for frame in frames]
    return {
        "siMax": max(si),
        "siMean": np.mean(si),
        "tiMax": max(ti) if ti else None,
        "tiMean": np.mean(ti) if ti else None,
        "flicker": np.mean(np.abs(np.diff(means))) if ti else None,
    }


def digest(arrays):
    return hashlib.sha256(b"".join(each.tobytes() for each in arrays)).hexdigest()


pictures = []
for each in PICTURES:
    data = picture(*each)
    pictures.append({"picture": each, "sha256": digest([data]), "signals": signals(data)})
clips = []
for formula, width, height, step, count in CLIPS:
    frames = [picture(formula, width, height, 3, 8, step * at) for at in range(count)]
    clips.append(
        {
            "clip": (formula, width, height, step, count),
            "sha256": digest(frames),
            "information": information([luma_of(frame) for frame in frames]),
        }
    )
json.dump(
    {
        "command": "python3 test/golden/signals.py > test/golden/signals.json",
        "madeBy": f"NumPy {np.__version__}, SciPy {scipy.__version__}",
        "pictures": pictures,
        "clips": clips,
    },
    sys.stdout,
    indent=1,
)
print()

"""What NumPy, SciPy and Meta's PDQ program say of raw pictures: `make.py work.json pdq-program`, called by make.mjs.

Straight from the definitions and by two-dimensional convolution, nothing separated and nothing shared with the kernels
that are tested. Psnr null stands for infinite.
"""

import hashlib
import json
import math
import subprocess
import sys
import tempfile

import numpy as np
import scipy
from scipy.signal import convolve2d


def samples(picture):
    kind = np.uint8 if picture["depth"] == 8 else np.dtype("<u2")
    shape = (picture["height"], picture["width"], picture["channels"])
    return np.fromfile(picture["raw"], dtype=kind).reshape(shape)


def peak(picture):
    return 255 if picture["depth"] == 8 else 65535


def luma(picture):
    data = samples(picture).astype(np.float64) * (255 / peak(picture))
    grey = 0.299 * data[:, :, 0] + 0.587 * data[:, :, 1] + 0.114 * data[:, :, 2]
    if picture["channels"] == 4:
        grey = 255 + (grey - 255) * (data[:, :, 3] / 255)
    return grey


def whole(picture, channels, depth):
    """Samples as exact integers, with the channels and the depth that the pair is compared in."""
    data = samples(picture).astype(np.int64)
    if picture["channels"] < channels:
        opaque = np.full(data.shape[:2] + (1,), peak(picture), dtype=np.int64)
        data = np.concatenate([data, opaque], axis=2)
    return data * 257 if depth > picture["depth"] else data


def psnr(a, b):
    """Colour counts only where both show it: where either alpha is 0, alpha alone differs."""
    channels = max(a["channels"], b["channels"])
    depth = max(a["depth"], b["depth"])
    top = 2**depth - 1
    x, y = whole(a, channels, depth), whole(b, channels, depth)
    difference = x - y
    if channels == 4:
        difference[(x[:, :, 3] == 0) | (y[:, :, 3] == 0), :3] = 0
    mse = np.mean(difference.astype(np.float64) ** 2)
    return None if mse == 0 else 10 * math.log10(top**2 / mse), float(np.abs(difference).max() / top)


def window(rows, columns, sigma=1.5):
    """As MATLAB's fspecial('gaussian', [rows columns], sigma)."""
    y = np.arange(rows) - (rows - 1) / 2
    x = np.arange(columns) - (columns - 1) / 2
    w = np.exp(-(y[:, None] ** 2 + x[None, :] ** 2) / (2 * sigma**2))
    return w / w.sum()


def ssim(x, y):
    w = window(min(11, x.shape[0]), min(11, x.shape[1]))
    mean = lambda picture: convolve2d(picture, w, mode="valid")
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    mx, my = mean(x), mean(y)
    vx, vy, cov = mean(x * x) - mx * mx, mean(y * y) - my * my, mean(x * y) - mx * my
    return float(np.mean((2 * mx * my + c1) * (2 * cov + c2) / ((mx * mx + my * my + c1) * (vx + vy + c2))))


def downsampled(x):
    # MATLAB rounds halves away from zero; sides are positive.
    f = max(1, math.floor(min(x.shape) / 256 + 0.5))
    # imfilter's window of an even side has its middle before the centre.
    before, after = (f - 1) // 2, f // 2
    padded = np.pad(x, ((before, after), (before, after)), mode="symmetric")
    return convolve2d(padded, np.ones((f, f)) / f**2, mode="valid")[::f, ::f]


def pdq(x, program):
    """On the luma as it is, and, for a side above 512, on what Meta's program for files makes of it first."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(np.ascontiguousarray(x, dtype="<f8").tobytes())
        file.flush()
        out = subprocess.run([program, file.name, str(x.shape[1]), str(x.shape[0])], capture_output=True, check=True)
    return [{"hash": h, "quality": int(q)} for h, q in (line.split() for line in out.stdout.decode().splitlines())]


work = json.load(open(sys.argv[1]))
program = sys.argv[2]
pairs = []
for pair in work["pairs"]:
    a, b = pair["pictures"]
    x, y = luma(a), luma(b)
    decibels, largest = psnr(a, b)
    hashes = [pdq(x, program), pdq(y, program)]
    pairs.append(
        {
            "name": pair["name"],
            "sha256": [hashlib.sha256(open(p["raw"], "rb").read()).hexdigest() for p in (a, b)],
            "psnr": decibels,
            "max": largest,
            "ssim": ssim(x, y),
            "ssimDownsampled": ssim(downsampled(x), downsampled(y)),
            "pdq": [h[0] for h in hashes],
            "pdqOfFile": [h[1] for h in hashes] if len(hashes[0]) > 1 else None,
        }
    )
files = [
    {"file": f["file"], "width": f["width"], "height": f["height"], "pdq": [pdq(luma(d), program)[0] for d in f["decoded"]]}
    for f in work["files"]
]
versions = {"python": sys.version.split()[0], "numpy": np.__version__, "scipy": scipy.__version__}
json.dump({"versions": versions, "pairs": pairs, "files": files}, sys.stdout)

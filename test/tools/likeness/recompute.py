"""SSIM, PDQ and correlation of every pair in the `likeness` of a run's analysis.json, from its media alone:

    python3 test/tools/likeness/recompute.py RUN_FOLDER

Straight from the definitions with NumPy and SciPy, nothing shared with the kernels that are tested. FFmpeg's program
decodes. Prints for each pair what it finds beside what the run says, then the largest differences; ends with exit code 1
where SSIM differs by more than 0.001 (0.01 of a video, whose colours FFmpeg's program converts with other rounding), the
correlation by more than 0.001 (0.01), or PDQ by more than 4 bits (8): single precision decides a bit near the median.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
from scipy.fft import dct
from scipy.signal import convolve2d

folder = Path(sys.argv[1])


def media(sha256):
    [path] = (folder / "media" / sha256[:2]).glob(f"{sha256}.*")
    return path


def run(*command):
    return subprocess.run(command, capture_output=True, check=True).stdout


def frames(path):
    """Frames as arrays of red, green, blue."""
    size = run("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of", "csv=p=0", path)
    width, height = map(int, size.decode().strip().split(",")[:2])
    raw = run("ffmpeg", "-v", "error", "-i", path, "-fps_mode", "passthrough", "-vf", "scale=flags=area+accurate_rnd",
              "-f", "rawvideo", "-pix_fmt", "rgb24", "-")
    return np.frombuffer(raw, np.uint8).reshape(-1, height, width, 3)


def luma(rgb):
    return rgb.astype(np.float64) @ np.array([0.299, 0.587, 0.114])


AXIS = np.arange(11) - 5
WINDOW = np.exp(-(AXIS[:, None] ** 2 + AXIS[None, :] ** 2) / (2 * 1.5**2))
WINDOW /= WINDOW.sum()


def ssim(x, y):
    mean = lambda image: convolve2d(image, WINDOW, mode="valid")
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    mx, my = mean(x), mean(y)
    vx, vy, cov = mean(x * x) - mx * mx, mean(y * y) - my * my, mean(x * y) - mx * my
    return np.mean((2 * mx * my + c1) * (2 * cov + c2) / ((mx * mx + my * my + c1) * (vx + vy + c2)))


def box(image, axis):
    """The mean over the places of the window that exist; of an even window the extra place is after the middle."""
    length = image.shape[axis]
    size = -(-length // 128)
    after = size // 2
    before = size - 1 - after
    sums = np.insert(np.cumsum(image, axis=axis), 0, 0, axis=axis)
    at = np.arange(length)
    low, high = np.maximum(0, at - before), np.minimum(length, at + after + 1)
    shape = [1, 1]
    shape[axis] = length
    return (np.take(sums, high, axis) - np.take(sums, low, axis)) / (high - low).reshape(shape)


def block(image):
    for _ in range(2):
        image = box(box(image, 1), 0)
    middle = lambda length: ((np.arange(64) + 0.5) * length / 64).astype(int)
    return image[np.ix_(middle(image.shape[0]), middle(image.shape[1]))]


def bits(small):
    low = dct(dct(small, axis=0, norm="ortho"), axis=1, norm="ortho")[1:17, 1:17].ravel()
    return low > np.sort(low)[127]


def quality(small):
    whole = lambda difference: np.floor(np.abs(difference) * 100 / 255).sum()
    return min(100, (whole(np.diff(small, axis=0)) + whole(np.diff(small, axis=1))) // 90)


def ranked(values, share):
    return sorted(values)[max(0, int(np.ceil(share * len(values))) - 1)]


largest = {}
failed = False
pairs = [pair for pair in json.loads((folder / "analysis.json").read_text())["likeness"] if pair["word"] != "unknown"]
for pair in pairs:
    if pair["difference"] is None:
        continue
    one, other = frames(media(pair["output"])), frames(media(pair["baselineOutput"]))
    if one.shape != other.shape or pair["difference"]["unpaired"] > 0:
        print("left out: other size or frames", pair["variant"], pair["prompt"], pair["seed"])
        continue
    found = {"ssim": [], "pdqDistance": [], "correlation": []}
    for a, b in zip(map(luma, one), map(luma, other)):
        small = [block(a), block(b)]
        found["ssim"].append(ssim(a, b))
        found["correlation"].append(np.corrcoef(small[0].ravel(), small[1].ravel())[0, 1])
        if min(map(quality, small)) >= 50:
            found["pdqDistance"].append(int(np.sum(bits(small[0]) != bits(small[1]))))
    told = pair["difference"]
    kind = "video" if len(one) > 1 else "image"
    here = {name: ranked(values, 0.05 if name == "ssim" else 0.5) for name, values in found.items() if values}
    there = {"ssim": told["ssim"]["p5"], "pdqDistance": told["pdqDistance"], "correlation": told["correlation"]}
    print(pair["variant"], pair["prompt"], pair["seed"], pair["word"], *(f"{name} {here[name]:.6g} {there[name]:.6g}" for name in here))
    for name, value in here.items():
        apart = abs(value - there[name])
        largest[kind, name] = max(apart, largest.get((kind, name), 0))
        bound = (4 if kind == "image" else 8) if name == "pdqDistance" else 0.001 if kind == "image" else 0.01
        failed |= apart > bound

print(f"{len(pairs)} pairs; largest differences:")
for (kind, name), apart in sorted(largest.items()):
    print(f"  {kind} {name} {apart:.3g}")
sys.exit(1 if failed else 0)

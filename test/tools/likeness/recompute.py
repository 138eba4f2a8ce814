"""SSIM, chroma, PDQ and correlation of every pair in the `likeness` of a run's analysis.json, from its media alone.
The run must be of this version: a report keeps what was measured when its outputs were compared.

    retake report RUN_FOLDER --format json
    python3 test/tools/likeness/recompute.py RUN_FOLDER

Straight from the definitions with NumPy and SciPy, nothing shared with the kernels that are tested. FFmpeg's program
decodes. Prints for each pair what it finds beside what the run says, then the largest differences; ends with exit code 1
where SSIM differs by more than 0.001 (0.01 of a video, whose colours FFmpeg's program converts with other rounding),
chroma by more than 0.001 (0.2), the correlation by more than 0.001 (0.01), or PDQ by more than 4 bits (8): single
precision decides a bit near the median.
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
    """Frames as arrays of red, green, blue and alpha."""
    size = run("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of", "csv=p=0", path)
    width, height = map(int, size.decode().strip().split(",")[:2])
    raw = run("ffmpeg", "-v", "error", "-i", path, "-fps_mode", "passthrough", "-vf", "scale=flags=area+accurate_rnd",
              "-f", "rawvideo", "-pix_fmt", "rgba", "-")
    return np.frombuffer(raw, np.uint8).reshape(-1, height, width, 4)


LUMA = np.array([0.299, 0.587, 0.114])
CHROMA = np.array([[0, 0, 1], [1, 0, 0]]) - LUMA
CHROMA /= 2 * CHROMA.max(axis=1, keepdims=True)


def shown(frame, ground):
    """Red, green and blue on a grey ground."""
    alpha = frame[..., 3:] / 255
    return frame[..., :3] * alpha + ground * (1 - alpha)


def from_afar(image):
    """Means of f x f pixels, f being the shorter side over 256, rounded; mirrored beyond the edge."""
    height, width = image.shape
    f = max(1, int(min(height, width) / 256 + 0.5))
    rows, columns = -(-height // f), -(-width // f)
    padded = np.pad(image, ((f - 1) // 2, f), mode="symmetric")[: rows * f, : columns * f]
    return padded.reshape(rows, f, columns, f).mean(axis=(1, 3))


def chroma(a, b):
    return np.hypot(*(from_afar((shown(a, 0) - shown(b, 0)) @ weights) for weights in CHROMA)).mean()


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


SHARES = {"ssim": 0.05, "chroma": 0.95}
# Of an image and of a video.
BOUNDS = {"ssim": (0.001, 0.01), "chroma": (0.001, 0.2), "pdqDistance": (4, 8), "correlation": (0.001, 0.01)}

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
    found = {"ssim": [], "chroma": [], "pdqDistance": [], "correlation": []}
    for a, b in zip(one, other):
        is_transparent = min(a[..., 3].min(), b[..., 3].min()) < 255
        ssims, correlations, distances = [], [], []
        for ground in [255, 0] if is_transparent else [255]:
            x, y = shown(a, ground) @ LUMA, shown(b, ground) @ LUMA
            small = [block(x), block(y)]
            ssims.append(ssim(from_afar(x), from_afar(y)))
            correlations.append(np.corrcoef(small[0].ravel(), small[1].ravel())[0, 1])
            if min(map(quality, small)) >= 50:
                distances.append(int(np.sum(bits(small[0]) != bits(small[1]))))
        found["ssim"].append(min(ssims))
        found["chroma"].append(chroma(a, b))
        found["correlation"].append(min(correlations))
        found["pdqDistance"].extend([max(distances)] if distances else [])
    told = pair["difference"]
    kind = "video" if len(one) > 1 else "image"
    here = {name: ranked(values, SHARES.get(name, 0.5)) for name, values in found.items() if values}
    there = {**told, "ssim": told["ssim"]["p5"]}
    print(pair["variant"], pair["prompt"], pair["seed"], pair["word"], *(f"{name} {here[name]:.6g} {there[name]:.6g}" for name in here))
    for name, value in here.items():
        apart = abs(value - there[name])
        largest[kind, name] = max(apart, largest.get((kind, name), 0))
        failed |= apart > BOUNDS[name][kind == "video"]

print(f"{len(pairs)} pairs; largest differences:")
for (kind, name), apart in sorted(largest.items()):
    print(f"  {kind} {name} {apart:.3g}")
sys.exit(1 if failed else 0)

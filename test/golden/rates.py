"""Golden values of the tests of paired rates, by SciPy.

    pip install numpy==2.4.6 scipy==1.17.1
    python3 test/golden/rates.py > test/golden/rates.json

`exact`: [pairs, candidate only, baseline only, rise, p of greater, p of less]: every outcome of a multinomial law is
counted whose score is at least (at most) that observed; the nuisance parameter maximises the likelihood numerically.
`clustered`: [pairs by cluster, candidate only by cluster, baseline only by cluster, rise, p of greater, p of less]: the
variance of the difference between clusters from one row for each pair, Student's t from scipy.stats.
"""

import json

import numpy as np
import scipy
from scipy.optimize import brentq
from scipy.stats import multinomial, t as student


def restricted(n, b, c, d):
    low, high = max(0.0, -d), (1 - d) / 2

    def slope(q):
        up = b / (q + d) if b else 0.0
        down = c / q if c else 0.0
        rest = 2 * (n - b - c) / (1 - 2 * q - d) if n > b + c else 0.0
        return up + down - rest

    eps = (high - low) * 1e-13
    if slope(low + eps) <= 0:
        return low
    if slope(high - eps) >= 0:
        return high
    return brentq(slope, low + eps, high - eps, xtol=1e-16, rtol=1e-15, maxiter=1000)


def score(n, b, c, d):
    q = restricted(n, b, c, d)
    variance = n * (2 * q + d * (1 - d))
    return 0.0 if variance <= 1e-18 else (b - c - n * d) / np.sqrt(variance)


def exact(n, b, c, d):
    q = restricted(n, b, c, d)
    z = score(n, b, c, d)
    outcomes = [(i, j) for i in range(n + 1) for j in range(n + 1 - i)]
    scores = np.array([score(n, i, j, d) for i, j in outcomes])
    counts = np.array([(i, j, n - i - j) for i, j in outcomes])
    probabilities = multinomial.pmf(counts, n, [q + d, q, max(0.0, 1 - 2 * q - d)])
    return float(probabilities[scores >= z - 1e-7].sum()), float(probabilities[scores <= z + 1e-7].sum())


def clustered(pairs, ups, downs, d):
    rows = [
        (k, value)
        for k, (m, up, down) in enumerate(zip(pairs, ups, downs))
        for value in [1] * up + [-1] * down + [0] * (m - up - down)
    ]
    of = np.array([k for k, _ in rows])
    values = np.array([value for _, value in rows], dtype=float)
    n, count = len(values), len(pairs)
    centred = values - values.mean()
    between = count / (count - 1) * sum(centred[of == k].sum() ** 2 for k in range(count)) / n**2
    single = centred.var() / n
    deff = max(1.0, between / single) if single > 0 else 1.0
    z = score(n, sum(ups), sum(downs), d) / np.sqrt(deff)
    totals = np.array([centred[of == k].sum() for k in range(count)])
    kurtosis = np.mean(totals**4) / np.mean(totals**2) ** 2 if np.any(abs(totals) > 1e-9) else 3.0
    degrees = 2 / (2 / (count - 1) + max(0.0, kurtosis - 3) / count)
    return float(student.sf(z, degrees)), float(student.cdf(z, degrees))


rng = np.random.default_rng(20261123)
exacts = [
    [n, b, c, d, *exact(n, b, c, d)]
    for n, b, c in [(6, 0, 0), (6, 6, 0), (12, 3, 1), (12, 0, 4), (21, 1, 7), (36, 5, 2), (36, 9, 9), (60, 8, 0)]
    for d in [-0.1, 0, 0.02, 0.05, 0.15, 0.4]
]
groups = []
for count in [2, 3, 8, 15]:
    for rate in [0.0, 0.1, 0.4, 1.0]:
        sizes = rng.integers(1, 9, count)
        ups = rng.binomial(sizes, rate)
        downs = rng.binomial(sizes - ups, 0.1)
        for d in [-0.05, 0, 0.05, 0.3]:
            shape = [sizes.tolist(), ups.tolist(), downs.tolist()]
            groups.append([*shape, d, *clustered(*shape, d)])

print("{")
print('"command": "python3 test/golden/rates.py > test/golden/rates.json",')
print(f'"scipy": "{scipy.__version__}",')
print('"exact": [')
print(",\n".join(json.dumps(row) for row in exacts))
print('],\n"clustered": [')
print(",\n".join(json.dumps(row) for row in groups))
print("]}")

"""
Golden vectors for E-divisive, by its definition in NumPy, and for exact tests by counting, from SciPy.

    pip install numpy==2.4.6 scipy==1.17.1
    python3 test/golden/series.py > test/golden/series.json

The three named series are the test data of Apache Otava (https://github.com/apache/otava, Apache License 2.0), plain figures:
SEQUENCE of tests/change_point_divisive_test.py at commit 2be4bbf5cbdb8721a381b495d3806bda114c040e, the series of
test_single_series in tests/analysis_test.py at 08096600d3233d8723941affa5fafed6f19f9bcd, the first 131 runs of Tigerbeetle in
tests/deterministic_tigerbeetle_test.py at 029e15417c2da6f5dd1d2bb7ebbae3bcf504ed20.
"""

import json
from importlib.metadata import version

import numpy as np
from scipy import stats

rng = np.random.default_rng(20261122)

STEPS = [0.3, 2.4, 1.5, -0.9, -0.5, 99.7, 98.3, 99.1, 149.0, 149.7, 149.5, 149.1, 148.8, 150.0]
HALVED = [1.02, 0.95, 0.99, 1.00, 1.12, 1.00, 1.01, 0.98, 1.01, 0.96,
          0.50, 0.51, 0.48, 0.48, 0.55, 0.50, 0.49, 0.51, 0.50, 0.49]
TIGERBEETLE = [int(n) for n in """
26705 26475 26641 26806 26835 26911 26564 26812 26874 26682 15672 26745 26460 26977 26851 23412 23547 23674 23519 23670
23662 23462 23750 23717 23524 23588 23687 23793 23937 23715 23570 23730 23690 23699 23670 23860 23988 23652 23681 23798
23728 23604 23523 23412 23685 23773 23771 23718 23409 23739 23674 23597 23682 23680 23711 23660 23990 23938 23742 23703
23536 24363 24414 24483 24509 24944 24235 24560 24236 24667 24730 28346 28437 28436 28057 28217 28456 28427 28398 28250
28331 28222 28726 28578 28345 28274 28514 28590 28449 28305 28411 28788 28404 28821 28580 27483 26805 27487 27124 26898
27295 26951 27312 27660 27154 27050 26989 27193 27503 27326 27375 27513 27057 27421 27574 27609 27123 27824 27644 27394
27836 27949 27702 27457 27272 28207 27802 27516 27586 28005 27768""".split()]

# Change points as Otava's own tests have them, at a significance within reach: of the values after the first step of `steps` 2 of
# 84 orders are as good as the one observed; of Tigerbeetle those of test_tb_magnitude0_p001.
named = [
    {"name": "steps", "values": STEPS, "alpha": 0.05, "changes": [5, 8]},
    {"name": "halved", "values": HALVED, "alpha": 0.01, "changes": [10]},
    {"name": "tigerbeetle", "values": TIGERBEETLE, "alpha": 0.01, "changes": [15, 61, 71, 95, 117]},
]

# The best split of a series, segments of one value allowed: [index, Q, series]. Every split up to every end, by the definition.
def energy(x, y):
    within = lambda z: np.abs(z[:, None] - z)[np.triu_indices(len(z), 1)].mean() if len(z) > 1 else 0.0
    n, m = len(x), len(y)
    return n * m / (n + m) * (2 * np.abs(x[:, None] - y).mean() - within(x) - within(y))


splits = []
for n in list(range(2, 30)) + [40, 60]:
    for change in (0, 3):
        x = np.round(rng.normal(size=n) + change * (np.arange(n) >= n // 3), 3)
        found = max((energy(x[:at], x[at:end]), -at) for end in range(2, n + 1) for at in range(1, end))
        splits.append([-found[1], float(found[0]), x.tolist()])

# Signed ranks with ties, all signs counted: [differences, p greater, p less, p two-sided].
signs = []
for n in range(2, 13):
    for spread in (1, 3):
        x = np.round(rng.normal(0.4, spread, size=n))
        x = x[x != 0]
        if len(x) < 2:
            continue
        every = stats.PermutationMethod(n_resamples=np.inf)
        p = [float(stats.wilcoxon(x, alternative=side, method=every).pvalue) for side in ("greater", "less", "two-sided")]
        signs.append([x.tolist(), p])

# Clopper and Pearson, one-sided: [events, n, level, lower, upper].
bounds = []
for n in (5, 36, 108):
    for events in (0, 1, 2, n // 3, n):
        test = lambda side: stats.binomtest(events, n, alternative=side).proportion_ci(0.95, method="exact")
        bounds.append([events, n, 0.95, float(test("greater").low), float(test("less").high)])

# Benjamini and Hochberg: [p values, adjusted].
discovered = []
for n in range(1, 13):
    p = np.round(rng.beta(0.3, 2, size=n), 4)
    discovered.append([p.tolist(), stats.false_discovery_control(p).tolist()])

print("{")
print('"command": "python3 test/golden/series.py > test/golden/series.json",')
print(f'"made by": "SciPy {version("scipy")}, NumPy {version("numpy")}",')
print('"source of the named series": "https://github.com/apache/otava, Apache License 2.0; files and commits in series.py",')
sets = {"named": named, "splits": splits, "signs": signs, "bounds": bounds, "discovered": discovered}
for at, (name, rows) in enumerate(sets.items()):
    body = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    print(f'"{name}": [\n{body}\n]' + ("," if at < len(sets) - 1 else ""))
print("}")

"""Which load holds, from samples.csv of a run and what its run.json declares, by the standard library alone.

    python3 test/report/recompute-hold.py results/SUITE/RUN...

Prints the rows that measures.csv has of `capacity`, as JSON, and an empty line after each run. Written from src/analysis/README.md, "Which load holds".
"""

import csv
import json
import math
import sys
from itertools import groupby

SHARES = {"p50": 0.5, "p90": 0.1, "p95": 0.05, "p99": 0.01}
FAILED = {"rejected", "no_credit", "error", "timed_out", "unknown_charged", "invalid_media", "throttled", "dropped"}
LEFT_OUT = {"cancelled", "defect", "moderated", "blank"}


def beta_cdf(x, a, b):
    """The regularised incomplete beta function by its continued fraction (Lentz)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 2000):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    log = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return fraction * math.exp(log) / a


def beta_quantile(p, a, b):
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if beta_cdf(middle, a, b) < p else (low, middle)
    return (low + high) / 2


def lower(events, n, alpha):
    return 0.0 if events == 0 else beta_quantile(alpha, events, n - events + 1)


def upper(events, n, alpha):
    return 1.0 if events == n else beta_quantile(1 - alpha, events + 1, n - events)


def mid_ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks, before = [0.0] * len(values), 0
    for _, tied in groupby(order, values.__getitem__):
        places = list(tied)
        for place in places:
            ranks[place] = before + (len(places) + 1) / 2
        before += len(places)
    return ranks


def integrated_time(values):
    mean = sum(values) / len(values)
    centred = [value - mean for value in values]
    product = lambda lag: sum(a * b for a, b in zip(centred, centred[lag:]))
    squares = product(0)
    if squares == 0:
        return 1.0
    total, before = 0.0, math.inf
    for lag in range(0, len(values) - 1, 2):
        before = min(before, (product(lag) + product(lag + 1)) / squares)
        if before <= 1e-12:
            break
        total += before
    return max(1.0, 2 * total - 1)


def dependence_time(values):
    n = len(values)
    if n < 3:
        return 1.0
    ranks = mid_ranks(values)
    highest = sorted(ranks)[math.ceil(0.8 * n) - 1]
    time = max(integrated_time(ranks), integrated_time([float(rank > highest) for rank in ranks]))
    return 1 + 2 * max(0.0, time - 1 - 2 / math.sqrt(n))


def median(values):
    middle = len(values) // 2
    ordered = sorted(values)
    return ordered[middle] if len(values) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def number(text):
    return None if text == "" else float(text)


def response(row):
    """Of open load, from the due time; none if it was dropped or failed."""
    return number(row["response_ms"]) if row["outcome"] == "ok" else math.inf if row["outcome"] == "timed_out" else None


def left_ms(row):
    """Its last byte; of a failure, its end."""
    return float(row["began_ms"]) + float(row["response_ms"]) if row["response_ms"] else float(row["ended_ms"])


def queue_ends_at(rows):
    """The median of the last of 8 parts, in ms, if responses grew through all of them; else 0."""
    rows = sorted(rows, key=lambda row: float(row["began_ms"]))
    waited = [ms for ms in map(response, rows) if ms is not None]
    size = len(waited) / 8
    if size < 5:
        return 0
    cut = [math.floor(part * size + 0.5) for part in range(9)]
    medians = [median(waited[a:b]) for a, b in zip(cut, cut[1:])]
    pairs = [(a, b) for at, a in enumerate(medians) for b in medians[at + 1 :]]
    rising = sum(b > a or b == math.inf for a, b in pairs)
    began = [float(row["began_ms"]) for row in rows]
    first, last = began[len(rows) // 2], began[-1]
    came = sum(first < ms <= last for ms in began)
    left = sum(row["outcome"] != "dropped" and first < left_ms(row) <= last for row in rows)
    grew = rising >= 26 and medians[-1] >= 1.5 * medians[0] and (came > 0 and left / came <= 0.93)
    return medians[-1] if grew else 0


def at_load(rows, step, is_open):
    """Without those that meet a service that is not full, and those that count nowhere."""
    taken, seen = [], {}
    for row in rows:
        if "resumed" in row["flags"].split(";"):
            continue
        group = (row["segment"], row["slice"])
        seen[group] = seen.get(group, 0) + 1
        filling = not is_open and seen[group] <= step
        if not filling and row["outcome"] not in LEFT_OUT and row["error_code"] not in ("no_answer", "job_left"):
            taken.append(row)
    return taken


def is_missed(row):
    return row["outcome"] in FAILED or float(row["throttle_wait_ms"]) > 0 or "slowed" in row["flags"].split(";")


def of_load(rows, hold, alpha, is_open):
    """The rows of a load, and what it shows."""
    fails_alpha = alpha / len(hold)
    missed = [is_missed(row) for row in rows]
    column = "response_ms" if is_open else "total_ms"
    took = [math.inf if miss else float(row[column]) for row, miss in zip(rows, missed)]
    found = []
    for name, (limit, share) in hold.items():
        bad = [int(miss or ms > limit) for ms, miss in zip(took, missed)]
        time = max(dependence_time(took), dependence_time(bad))
        n = len(rows) / time
        events = min(n, sum(bad) / time)
        low, high = lower(events, n, fails_alpha), upper(events, n, alpha)
        found.append({"statistic": f"beyond_{name}", "value": sum(bad) / len(rows), "n": len(rows), "low": low, "high": high,
                      "level": 1 - alpha - fails_alpha, "holds": high <= share, "fails": low > share})
    late = sum("harness_lag" in row["flags"].split(";") for row in rows)
    longest = max(limit for limit, _ in hold.values() if limit != math.inf) if is_timed(hold) else 0
    began = min(float(row["began_ms"]) for row in rows)
    lasted = max(float(row["ended_ms"]) for row in rows) - began
    grew_to = queue_ends_at(rows) if is_open else 0
    if lower(late, len(rows), 0.001) > 0.05:
        shows = None
    elif any(grew_to > limit for limit, _ in hold.values()) or any(one["fails"] for one in found):
        shows = "fails"
    elif is_open and lasted < 10 * longest:
        shows = None
    else:
        shows = "holds" if all(one["holds"] for one in found) else None
    return [{key: one[key] for key in one if key not in ("holds", "fails")} | {"shows": shows} for one in found], shows


def is_timed(hold):
    return any(limit != math.inf for limit, _ in hold.values())


def main(folder):
    with open(f"{folder}/run.json", encoding="utf-8") as file:
        run = json.load(file)
    with open(f"{folder}/samples.csv", encoding="utf-8", newline="") as file:
        samples = [row for row in csv.DictReader(file) if row["phase"] == "step"]
    declared, load = run["hold"], run["plan"]["load"]
    hold = {name: (declared[f"{name}Ms"], share) for name, share in SHARES.items() if f"{name}Ms" in declared}
    if "errors" in declared:
        hold["errors"] = (math.inf, declared["errors"])
    is_open, steps = load["mode"] == "open", sorted(load["steps"])
    alpha = 0.05 / (len(run["variants"]) * len(steps))
    for variant in (one["name"] for one in run["variants"]):
        shown = {}
        for step in steps:
            sent = [row for row in samples if row["variant"] == variant and float(row["step"]) == step]
            rows = at_load(sent, step, is_open)
            found, shown[step] = of_load(rows, hold, alpha, is_open) if rows else ([], None)
            for one in found:
                print(json.dumps({"variant": variant, "step": step, **one}))
        holds = max((step for step in steps if shown[step] == "holds"), default=None)
        fails = min((step for step in steps if shown[step] == "fails"), default=None)
        print(json.dumps({"variant": variant, "step": None, "statistic": "holds", "value": holds}))
        print(json.dumps({"variant": variant, "step": None, "statistic": "fails", "value": fails}))


for folder in sys.argv[1:]:
    main(folder)
    print()

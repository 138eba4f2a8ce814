"""e of a claim "OF takes at most LIMIT as long as AGAINST", from samples.csv alone, at concurrency 1, no take failed."""
import csv, math, sys

if len(sys.argv) != 5: sys.exit('write: recompute-claim.py SAMPLES.CSV OF AGAINST LIMIT')
path, of, against, limit = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
takes = [row for row in csv.DictReader(open(path)) if row['phase'] == 'trial' and row['repeat'] == '1']
pairs = {}
for row in takes:
    pairs.setdefault((row['prompt'], row['seed']), {})[row['variant']] = row
stakes, e = [i / 20 for i in range(1, 20)], []
for pair in sorted(pairs.values(), key=lambda both: min(int(row['slice']) for row in both.values())):
    ours, theirs = (float(pair[name]['total_ms']) for name in (of, against))
    e.append((math.log(limit) > math.log(ours / theirs)) - (math.log(limit) < math.log(ours / theirs)))
    if max(sum(math.prod(1 + s * sign * x for x in e) for s in stakes) / 19 for sign in (1, -1)) >= 20: break
print(len(e), *(sum(math.prod(1 + s * sign * x for x in e) for s in stakes) / 19 for sign in (1, -1)))

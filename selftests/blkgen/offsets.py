#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""offsets.py LAW PARAM PLACES UNIT < "SECTOR SECTORS" LINES: tests if these sectors follow a law.

LAW is uniform, zipf, pareto (their places may be permuted in any way), normal or zones. Prints the
test statistics; exits with status 1 if one of them is so large that the law makes it in less than
1 % of the cases. It computes the probabilities itself, from the law.
"""
import math
import sys
from collections import Counter

Z99 = 2.3263


def chi_limit(df):
    """Return the value that chi square exceeds once in 100 times (Wilson and Hilferty)."""
    a = 2 / (9 * df)
    return df * (1 - a + Z99 * math.sqrt(a)) ** 3


def verdict(what, value, limit):
    print(f"{what}: {value:.4g}, at most {limit:.4g} at 1 %")
    return value <= limit


def chi_square(what, pairs):
    """Compare pairs of observed and expected counts; both kinds have the same sum."""
    chi = sum((o - e) ** 2 / e for o, e in pairs)
    return verdict(f"chi square of {what}", chi, chi_limit(len(pairs) - 1))


def ks(what, places, cdf):
    """The test of Kolmogorov and Smirnov, for whole numbers: both functions rise in steps."""
    n, seen, worst = len(places), 0, 0
    for place, count in sorted(Counter(places).items()):
        worst = max(worst, abs(seen / n - cdf(place)))
        seen += count
        worst = max(worst, abs(seen / n - cdf(place + 1)))
    return verdict(f"KS of {what}", worst * math.sqrt(n), 1.6276)


def solve(m, v):
    """Return x that solves m x = v, by elimination."""
    n = len(v)
    a = [row[:] + [v[i]] for i, row in enumerate(m)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(a[r][i]))
        a[i], a[p] = a[p], a[i]
        for r in range(i + 1, n):
            f = a[r][i] / a[i][i]
            for c in range(i, n + 1):
                a[r][c] -= f * a[i][c]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (a[i][n] - sum(a[i][c] * x[c] for c in range(i + 1, n))) / a[i][i]
    return x


def classes(pmf):
    """Group the probabilities that agree to 1 %. Return the mean and the number of each group."""
    groups = {}
    for p in pmf:
        g = groups.setdefault(round(100 * math.log(p)) if p else None, [0, 0])
        g[0] += p
        g[1] += 1
    return [(total / nr, nr) for total, nr in groups.values()]


def frequencies(places, pmf):
    """
    Compare how many places came once, twice... This does not depend on which places these are. The
    chi square uses the covariances of such counts. Also compare the most frequent places, as far as
    their probabilities differ so much that chance does not change their order.
    """
    n = len(places)
    pmf = sorted(pmf, reverse=True)
    counts = sorted(Counter(places).values(), reverse=True)
    top, ok = 0, True
    while top + 1 < len(pmf) and n * (pmf[top] - pmf[top + 1]) > 6 * math.sqrt(n * pmf[top]):
        top += 1
    if top:
        pairs = [(counts[i], n * pmf[i]) for i in range(top)]
        pairs.append((n - sum(counts[:top]), n * (1 - sum(pmf[:top]))))
        ok = chi_square(f"the {top} most frequent places", pairs)
    most = 8
    times = Counter(counts)
    observed = [times.get(j, 0) for j in range(1, most + 1)]
    expected = [0.0] * most
    cov = [[0.0] * most for _ in range(most)]
    for p, nr in classes(pmf):
        q, each = [], math.exp(-n * p)
        for j in range(1, most + 1):
            each *= n * p / j
            q.append(each)
        for i in range(most):
            expected[i] += nr * q[i]
            for j in range(most):
                cov[i][j] += nr * ((q[i] if i == j else 0) - q[i] * q[j])
    used = [i for i in range(most) if expected[i] > 10]
    print("came once, twice...:", " ".join(f"{observed[i]}/{expected[i]:.0f}" for i in used))
    d = [observed[i] - expected[i] for i in used]
    x = solve([[cov[i][j] for j in used] for i in used], d)
    chi = sum(a * b for a, b in zip(d, x))
    return verdict("chi square of how often places came", chi, chi_limit(len(used))) and ok


def pareto_pmf(h, n):
    e = math.log(1 - h) / math.log(h)
    return [((k + 1) / n) ** e - (k / n) ** e for k in range(n)]


def zipf_pmf(theta, n):
    p = [k ** -theta for k in range(1, n + 1)]
    total = math.fsum(p)
    return [x / total for x in p]


def normal_cdf(percent, n):
    mid, sigma = n / 2, n * percent / 100

    def phi(x):
        return (1 + math.erf((x - mid) / sigma / math.sqrt(2))) / 2

    return lambda x: (phi(x) - phi(0)) / (phi(n) - phi(0))


def zones(places, param, n):
    ends, parts, upto, ok = [], [], 0, True
    for part in param.split(":"):
        access, size = (float(x) for x in part.split("/"))
        upto += size
        ends.append(round(n * upto / 100))
        parts.append(access / 100)
    first, pairs = 0, []
    for end, part in zip(ends, parts):
        mine = [p for p in places if first <= p < end]
        pairs.append((len(mine), part * len(places)))
        ok &= ks(f"places {first} to {end}", mine, lambda x, a=first, b=end: (x - a) / (b - a))
        first = end
    return chi_square("zones", pairs) and ok


def main():
    law, param, n, unit = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    sectors = [int(line.split()[0]) for line in sys.stdin]
    if not sectors or any(s % unit or s // unit >= n for s in sectors):
        sys.exit(f"{len(sectors)} I/Os, not all at places")
    places = [s // unit for s in sectors]
    if law == "uniform":
        ok = frequencies(places, [1 / n] * n) and ks("all places", places, lambda x: x / n)
    elif law == "zipf":
        ok = frequencies(places, zipf_pmf(float(param), n))
    elif law == "pareto":
        ok = frequencies(places, pareto_pmf(float(param), n))
    elif law == "normal":
        ok = ks("all places", places, normal_cdf(float(param), n))
    else:
        ok = zones(places, param, n)
    sys.exit(0 if ok else 1)


main()

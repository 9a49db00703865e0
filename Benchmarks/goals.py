"""Reads goals.txt and judges results by it."""

from pathlib import Path

OURS = "carryover"
HERE = Path(__file__).resolve().parent


def goals():
    for line in (HERE / "goals.txt").read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            name, peer, kind, limit, weight = words
            yield name, peer, kind, float(limit), weight


def judge(results, races, full_size=True):
    """Prints every goal of these races with what came out; the number of musts that were missed.

    `results` has, by race and peer, what was measured and how often.
    """
    missed = 0
    print("\ngoals")
    for name, peer, kind, limit, weight in goals():
        if name not in races:
            continue
        measured = results.get(name, {})
        if OURS not in measured or (kind != "within" and peer not in measured):
            print(f"  not measured  {name}" + ("" if kind == "within" else f" against {peer}"))
            continue
        met, sentence = verdict(kind, limit, peer, measured)
        word = "met" if met else "MISSED" if weight == "must" else "not reached"
        missed += not met and weight == "must"
        aim = "" if weight == "must" else " (an aim)"
        print(f"  {word:<12}  {name} {sentence}{aim}")
    if missed and not full_size:
        print("These goals are for the full size of the data, so this run fails none.")
        return 0
    return missed


def verdict(kind, limit, peer, measured):
    ours = measured[OURS][0]
    if kind == "within":  # a number of ours alone; the peer's column says what it counts
        return ours <= limit, f"within {limit:g} {peer}: {ours:g}"
    theirs = measured[peer][0]
    if kind == "at-most":
        return ours <= limit * theirs, f"at most {limit:g} x that of {peer}: {ours / theirs:.2f} x"
    return theirs >= limit * ours, f"at least {limit:g} x faster than {peer}: {theirs / ours:.2f} x"

"""One work of the peers in its own process: prints its description, then runs once per line."""

import argparse
import json
import os
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("work")
parser.add_argument("--threads", type=int, required=True)
parser.add_argument("--record", required=True)
parser.add_argument("--drawings")
parser.add_argument("--model")
parser.add_argument("--trial-seconds", type=float, default=3, help="how long each setting is tried")
options = parser.parse_args()
for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = str(options.threads)

import works  # noqa: E402  (the number of threads must be set before)


def seconds(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


# Keep the output of libraries out of the answers.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
work = works.WORKS[options.work](options, options.work)
trials = {}
for name, run in work.variants.items():
    found = [seconds(run)]
    while len(found) < 9 and sum(found) < options.trial_seconds:
        found.append(seconds(run))
    # The minimum, because other processes only add time.
    trials[name] = min(found)
fastest = min(trials, key=trials.get)
difference, tolerance, what = work.agreement
print(
    json.dumps({
        "unitsPerRun": work.units, "setting": fastest, "tried": trials, "notes": work.notes,
        "difference": difference, "tolerance": tolerance, "compared": what,
        "agrees": difference <= tolerance,
    }), file=answers, flush=True)
for line in sys.stdin:
    print(seconds(work.variants[fastest]), file=answers, flush=True)

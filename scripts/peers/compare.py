"""Times DrawML and its peers in turn and writes the table: see scripts/compare-peers."""
import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import threading
import time
from importlib import metadata

import inputs

HERE = pathlib.Path(__file__).parent
# The minimum number of rounds for a row that reaches its time limit to count.
LEAST_ROUNDS = 5


@dataclasses.dataclass(frozen=True)
class Row:
    """A row of the table: a work, and the same by a peer."""

    work: str
    title: str
    peer: str
    # How many times as fast as the peer it must be at least, and should be.
    least: float | None = None
    goal: float | None = None
    threads: tuple = (1, 2)
    model: str | None = None
    # The step of 'drawml benchmark speed' if it is not named like the work.
    step: str | None = None


ROWS = [
    Row("train-reference-sgd", "training step, reference CNN, SGD", "PyTorch", 1.3, 2.0),
    Row("train-reference-adamw", "training step, reference CNN, AdamW", "PyTorch", 1.3, 2.0),
    *(
        Row(
            f"train-embedding-{member}", f"training step, released embedding, {view}",
            "PyTorch", 1.1, 1.5, model="base",
        )
        for member, view in ((1, "pixels"), (2, "strokes"))
    ),
    Row("network-256", "released embedding, batch 256", "ONNX Runtime", 1.2, 2.0, model="base"),
    Row(
        "network-1", "released embedding, batch 1", "ONNX Runtime", 1.3, 2.0, (1,), model="base"
    ),
    *(
        Row(f"search-{size}-{count}", f"exact 3-NN, {count} of {size} × 128", "faiss", 1.0, 1.5)
        for size in ("1k", "10k", "100k")
        for count in (1, 256)
    ),
    Row(
        "rasterize-16", "strokes to 28 × 28, its 16 times supersampling", "OpenCV",
        15.0, 40.0, (1,), step="rasterize",
    ),
    Row("rasterize", "strokes to 28 × 28, no worse than ours", "OpenCV", threads=(1,)),
    Row(
        "rasterize-fast", "strokes to 28 × 28, its smooth lines", "OpenCV",
        1.2, 3.0, (1,), step="rasterize",
    ),
    Row(
        "rasterize-stepped", "strokes to 28 × 28, its black or white lines", "OpenCV",
        threads=(1,), step="rasterize",
    ),
    Row("read", "read Quick, Draw! NDJSON", "orjson + NumPy", 3.0, 8.0, (1,)),
    Row(
        "classify", "strokes to decision, 1,000 samples, equal pixels",
        "OpenCV + ONNX Runtime + faiss", 5.0, 15.0, (1,), model="small",
    ),
    Row(
        "classify-fast", "strokes to decision, 1,000 samples, its fastest pixels",
        "OpenCV + ONNX Runtime + faiss", threads=(1,), model="small", step="classify",
    ),
    Row("multiply", "product of matrices of 2048", "PyTorch"),
]


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drawml", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument(
        "--rows", help="only works with one of these in their names, separated by commas"
    )
    parser.add_argument("--threads", default="1,2")
    parser.add_argument(
        "--rounds", type=int, default=15, help="turns of each side; the table wants 15 or more"
    )
    parser.add_argument("--model", default="models/base.drawml", help="the released embedding")
    parser.add_argument(
        "--drawings", help="Quick, Draw! NDJSON, at least 1,256 drawings (default: synthetic)"
    )
    parser.add_argument(
        "--keep", action="store_true", help="keep what an earlier run measured, and do the rest"
    )
    parser.add_argument("--seconds", type=float, default=0.05, help="how long a turn is at least")
    parser.add_argument(
        "--limit",
        type=float,
        default=240,
        help="seconds for a row; a row with fewer than 5 rounds by then has failed",
    )
    return parser.parse_args()


class Side:
    """A process that prints its description, and runs its work once for each line it is sent."""

    def __init__(self, command, question, cwd=None, environment=None):
        self.question = question
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=cwd,
            env=environment,
        )
        self.command = command
        self.is_late = False
        self.about = None

    def describe(self):
        """Waits for the line with which it describes itself."""
        self.about = json.loads(self.answer())
        return self.about

    def answer(self):
        line = self.process.stdout.readline()
        if self.is_late:
            raise TimeoutError("its time was over")
        if not line:
            raise RuntimeError(
                f"{' '.join(map(str, self.command))} ended with {self.process.wait()}"
            )
        return line

    def stop(self):
        """Ends it when its time is over; callers waiting for an answer get an error."""
        self.is_late = True
        self.process.kill()

    def run(self):
        try:
            self.process.stdin.write(self.question + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the answer says why
        return float(self.answer())

    def turn(self, seconds):
        """The median of as many runs as fill the time."""
        found = [self.run()]
        while sum(found) < seconds:
            found.append(self.run())
        return statistics.median(found)

    def peak_memory(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
        return 0

    def end(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait()


def measure(row, threads, arguments, files):
    step = row.step or row.work
    recorded = pathlib.Path(arguments.output) / "record" / f"{threads}"
    recorded.mkdir(parents=True, exist_ok=True)
    command = [
        arguments.drawml, "benchmark", "speed", "--serve", "--filter", step, "--threads", threads,
        "--record", recorded, "--drawings", files["drawings"],
    ]
    path = {None: None, "base": arguments.model, "small": files["small"]}[row.model]
    sides = [Side([str(word) for word in command + (["--model", path] if path else [])], step)]
    timer = threading.Timer(arguments.limit, lambda: [side.stop() for side in sides])
    timer.start()
    times, ratios, memory = ([], []), [], (0, 0)
    try:
        ours = sides[0]
        about = next(entry for entry in ours.describe() if entry["name"] == step)
        command = [
            sys.executable,
            HERE / "worker.py",
            row.work,
            "--threads",
            threads,
            "--record",
            recorded,
            "--drawings",
            files["drawings"],
            "--model",
            path or "",
            "--trial-seconds",
            arguments.limit / 40,
        ]
        # Started only now, because it reads what our side has recorded.
        theirs = Side([str(word) for word in command], "run")
        sides.append(theirs)
        check = theirs.describe()
        units = (about["unitsPerRun"], check["unitsPerRun"])
        for number in range(arguments.rounds):
            # The sides alternate in going first.
            found = [0.0, 0.0]
            for side in (0, 1) if number % 2 == 0 else (1, 0):
                found[side] = (ours, theirs)[side].turn(arguments.seconds) / units[side]
            times[0].append(found[0])
            times[1].append(found[1])
            ratios.append(found[1] / found[0])
            memory = (ours.peak_memory(), theirs.peak_memory())
    except TimeoutError:
        if len(ratios) < LEAST_ROUNDS:
            raise TimeoutError(
                f"not done in {arguments.limit:g} s ({len(ratios)} rounds)"
            ) from None
    finally:
        timer.cancel()
        for side in sides:
            side.end()
    medians = [statistics.median(values) for values in times]
    return {
        "work": row.work,
        "title": row.title,
        "threads": threads,
        "threadsOfOurs": about["threads"],
        "peer": row.peer,
        "unit": about["unit"],
        "secondsPerUnit": {"drawml": spread(times[0]), "peer": spread(times[1])},
        "ratio": statistics.median(ratios),
        "ratioOfRounds": spread(ratios),
        "ratioOfFastest": min(times[1]) / min(times[0]),
        "rounds": len(ratios),
        "least": row.least,
        "goal": row.goal,
        "peerSetting": check["setting"],
        "peerTried": check["tried"],
        "notes": check["notes"],
        "difference": check["difference"],
        "tolerance": check["tolerance"],
        "compared": check["compared"],
        "agrees": check["agrees"],
        "gigaflops": (
            about["operations"] / units[0] / medians[0] / 1e9 if about.get("operations") else None
        ),
        "peerGigaflops": (
            about["operations"] / units[0] / medians[1] / 1e9 if about.get("operations") else None
        ),
        "peakMemoryBytes": {"drawml": memory[0], "peer": memory[1]},
        "load": os.getloadavg()[0],
    }


def spread(values):
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
    return {
        "median": median,
        "lower": lower,
        "upper": upper,
        "minimum": min(values),
        "maximum": max(values),
    }


def short(seconds):
    for limit, factor, unit in ((1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1, 1e3, "ms")):
        if seconds < limit:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"


def machine():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


HEAD = [
    "| work | threads | DrawML | peer | its setting | ratio | fastest | at least | goal "
    "| same result |",
    "|---|---|---|---|---|---|---|---|---|---|",
]


def line(row):
    """A row of the table."""
    ours, theirs = (row["secondsPerUnit"][side]["median"] for side in ("drawml", "peer"))
    between = row["ratioOfRounds"]
    bars = [
        f"{bar:g}×" if bar and row["threads"] == row["judgedAt"] else ""
        for bar in (row["least"], row["goal"])
    ]
    fewer = " (1 thread)" if row["threadsOfOurs"] < row["threads"] else ""
    return (
        f"| {row['title']} | {row['threads']} | {short(ours)}{fewer} | {short(theirs)} "
        f"| {row['peer']}, {row['peerSetting']} | **{row['ratio']:.2f}×** "
        f"({between['lower']:.2f} to {between['upper']:.2f}) | {row['ratioOfFastest']:.2f}× "
        f"| {bars[0]} | {bars[1]} | {'yes' if row['agrees'] else '**NO**'}: "
        f"{row['difference']:.1e} ≤ {row['tolerance']:.1e} |"
    )


def peak_shares(row, rows):
    """A network's share of the machine's peak, where matrix products were measured too."""
    peaks = [
        max(other["gigaflops"], other["peerGigaflops"]) for other in rows
        if other["work"] == "multiply" and other["threads"] == row["threads"]
    ]
    if not peaks or not row["work"].startswith(("train", "network")) or not row["gigaflops"]:
        return []
    is_judged = row["work"].startswith("train-reference") and row["threads"] == row["judgedAt"]
    bars = [f"{bar} %" if is_judged else "" for bar in (35, 60)]
    return [
        f"| {row['title']} | {row['threads']} | {row['gigaflops']:.1f} of {peaks[0]:.0f} GFLOP/s "
        f"| **{100 * row['gigaflops'] / peaks[0]:.0f} %** "
        f"| {100 * row['peerGigaflops'] / peaks[0]:.0f} % | {bars[0]} | {bars[1]} |"
    ]


def table(report):
    loads = [row["load"] for row in report["rows"]] or [report["load"]]
    lines = [
        f"Measured {report['date']} on {report['machine']}; load when it began "
        f"{report['load']:.1f} ({min(loads):.1f} to {max(loads):.1f} at the ends of rows); "
        f"{report['rounds']} rounds, in each of which both sides take a turn. A ratio above 1 "
        "means that DrawML is faster; behind it the middle half of the rounds. The ratio of the "
        "fastest turns is what is left where other programs take the least; on a quiet machine "
        "both agree.",
        "",
        *HEAD,
    ]
    lines += [line(row) for row in report["rows"]]
    shares = [share for row in report["rows"] for share in peak_shares(row, report["rows"])]
    if shares:
        lines += [
            "",
            "Share of the machine's peak, the faster side's product of matrices of 2048 × 2048:",
            "",
            "| work | threads | DrawML | share | peer's share | at least | goal |",
            "|---|---|---|---|---|---|---|",
        ] + shares
    if report["alone"]:
        lines += ["", "By itself, with the released embedding:", ""]
        lines += [
            f"- {row['title']}: {short(row['secondsPerRun']['p50'])} a run of "
            f"{row['unitsPerRun']} {row['unit']} ({short(row['quartiles']['lower'])} to "
            f"{short(row['quartiles']['upper'])}), "
            f"peak memory {row['peakMemoryBytes'] / 1e6:.0f} MB"
            for row in report["alone"]
        ]
    if report["failed"]:
        lines += ["", "Not measured:", ""] + [f"- {failure}" for failure in report["failed"]]
    notes = sorted({note for row in report["rows"] for note in row["notes"]})
    if notes:
        lines += ["", "Notes on the peers:", ""] + [f"- {note}" for note in notes]
    lines += [
        "",
        "Versions: "
        + ", ".join(f"{name} {version}" for name, version in report["versions"].items()),
    ]
    return "\n".join(lines) + "\n"


def alone(arguments, threads):
    """What people feel, and no peer does: a cold start, lessons, the model's file."""
    command = [
        arguments.drawml,
        "benchmark",
        "speed",
        "--filter",
        "cold-start,teach-1,teach-200,segment,load,save,classify",
        "--model",
        arguments.model,
        "--threads",
        str(threads),
        "--format",
        "json",
    ]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)[
        "steps"
    ]


def save(report, folder):
    """Writes what is known so far: a run that is stopped goes on with --keep."""
    (folder / "peers.json").write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    (folder / "peers.md").write_text(table(report))


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def version(name):
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "missing"


def main():
    arguments = options()
    wanted = [int(number) for number in arguments.threads.split(",")]
    parts = arguments.rows.split(",") if arguments.rows else [""]
    files = inputs.make(
        arguments, any("classify" in row.work and any(p in row.work for p in parts) for row in ROWS)
    )
    names = ("torch", "onnxruntime", "faiss-cpu", "opencv-python-headless", "numpy", "orjson")
    report = {
        "date": now(),
        "machine": machine(),
        "load": os.getloadavg()[0],
        "rounds": arguments.rounds,
        "drawings": arguments.drawings
        or "synthetic, in the form of Quick, Draw!'s simplified drawings",
        "versions": {name: version(name) for name in names},
        "rows": [],
        "alone": [],
        "failed": [],
    }
    folder = pathlib.Path(arguments.output)
    if arguments.keep and (folder / "peers.json").exists():
        earlier = json.loads((folder / "peers.json").read_text())
        report["rows"], report["alone"] = earlier["rows"], earlier["alone"]
    print("\n".join(HEAD + [line(row) for row in report["rows"]]), flush=True)
    done = {(row["work"], row["threads"]) for row in report["rows"]}
    for row in ROWS:
        if not any(part in row.work for part in parts):
            continue
        allowed = [number for number in row.threads if number in wanted]
        for threads in allowed:
            if (row.work, threads) in done:
                continue
            try:
                result = measure(row, threads, arguments, files)
            except Exception as error:
                report["failed"].append(f"{row.work}, {threads} threads: {error}")
                print(f"{row.work}: {error}", file=sys.stderr)
                continue
            result["judgedAt"] = max(row.threads)
            result["date"] = now()
            report["rows"].append(result)
            print(line(result), flush=True)
            save(report, folder)
    if not arguments.rows and not report["alone"]:
        report["alone"] = alone(arguments, max(wanted))
    order = [row.work for row in ROWS]
    report["rows"].sort(key=lambda row: (order.index(row["work"]), row["threads"]))
    save(report, folder)
    print("\n" + table(report))
    sys.exit(0 if not report["failed"] and all(row["agrees"] for row in report["rows"]) else 1)


if __name__ == "__main__":
    main()

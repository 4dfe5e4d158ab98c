"""The works of the peers: each is set up, checked against DrawML's records, and run on request.

A work has `variants`, settings by name, of which the fastest is kept; `agreement`, the difference
of both sides (difference, tolerance, what was compared); and `units`, the units of a run.
"""

import contextlib
import json
import warnings

import numpy as np

import ink
import networks
from work import Work, far, record

warnings.filterwarnings("ignore", message=".*TF32.*")


# MARK: Training


def train(options, step):
    import torch
    from torch import nn

    torch.set_num_threads(options.threads)
    with record(options.record, step) as file:
        architecture = json.loads(file["architecture"][0])
        method = json.loads(file["optimizer"][0])
        before = read_tree(file["before"])
        after = read_tree(file["after"])
        losses = file["losses"][...]
        pixels = np.ascontiguousarray(file["input"][...].transpose(0, 3, 1, 2))
        labels = torch.from_numpy(file["labels"][...])
    pixels = torch.from_numpy(pixels)
    loss_function = nn.CrossEntropyLoss()
    adam = "adamW" in method["method"]

    def prepared(rate, channels_last, compiled, onednn):
        network, slots = networks.torch_network(
            architecture["layers"], architecture["inputShape"], before)
        network.train()
        images = pixels
        if channels_last:
            network = network.to(memory_format=torch.channels_last)
            images = pixels.contiguous(memory_format=torch.channels_last)
        decayed = [p for n, (p, _) in slots.items() if n.endswith("weight") and p.dim() > 1]
        chosen = {id(p) for p in decayed}
        if any(layer["kind"] == "cosineClassifier" for layer in architecture["layers"]):
            chosen.discard(id(decayed.pop()))
        rest = [p for p in network.parameters() if id(p) not in chosen]
        groups = [
            {"params": decayed, "weight_decay": method["weightDecay"]},
            {"params": rest, "weight_decay": 0.0},
        ]
        if adam:
            rule = method["method"]["adamW"]
            optimizer = torch.optim.AdamW(
                groups,
                lr=rate,
                betas=(rule["beta1"], rule["beta2"]),
                eps=rule["epsilon"],
                fused=True,
            )
        else:
            rule = method["method"]["sgd"]
            optimizer = torch.optim.SGD(groups, lr=rate, momentum=rule["momentum"], fused=True)
        forward = torch.compile(network) if compiled else network

        def one_step():
            with contextlib.nullcontext() if onednn else torch.backends.mkldnn.flags(enabled=False):
                optimizer.zero_grad(set_to_none=True)
                loss = loss_function(forward(images), labels)
                loss.backward()
                optimizer.step()
            return loss

        return one_step, slots

    one_step, slots = prepared(1e-3, False, False, True)
    theirs = [one_step().item() for _ in losses]
    apart = max(abs(a - b) / abs(b) for a, b in zip(theirs, losses))
    moved = sum(float(np.sum((after[n] - before[n]) ** 2)) for n in slots)
    missed = sum(
        float(np.sum((back(p.detach().numpy()) - after[n]) ** 2)) for n, (p, back) in slots.items())
    share = (missed / moved) ** 0.5
    # AdamW normalizes even gradients of rounding errors to full steps: two orders of summation
    # differ by a few hundredths of the way. The same layers with SGD must agree to a thousandth.
    agreement = (
        max(apart, share),
        5e-2 if adam else 1e-3,
        f"3 steps: losses (relative {apart:.1e}), " f"way of the parameters (relative {share:.1e})",
    )
    variants, notes = {}, []
    for name, settings in {
        "eager": (False, False, True),
        "eager, channels last": (True, False, True),
        "eager, channels last, oneDNN off": (True, False, False),
        "compiled": (False, True, True),
        "compiled, channels last": (True, True, True),
    }.items():
        try:
            run, _ = prepared(1e-4, *settings)
            for _ in range(3):
                run()
            variants[name] = run
        except Exception as error:
            notes.append(f"{name}: {str(error).strip().splitlines()[0][:120]}")
    return Work(len(labels), variants, agreement, notes)


def read_tree(group):
    return {name: value[...] for name, value in group.items()}


# MARK: Embedding


def network(options, step):
    members = networks.read_members(options.model)
    sessions, inputs, outputs = [], [], []
    with record(options.record, step) as file:
        for number, (layers, shape, values, _) in enumerate(members):
            data = networks.onnx_network(layers, shape, values)
            sessions.append(networks.onnx_session(data, options.threads))
            images = file[f"input{number}"][...].transpose(0, 3, 1, 2)
            inputs.append(np.ascontiguousarray(images))
            outputs.append(file[f"output{number}"][...])
    count = len(inputs[0])

    def portions(size):
        parts = [
            [np.ascontiguousarray(images[start:start + size]) for start in range(0, count, size)]
            for images in inputs
        ]

        def run():
            return [
                [session.run(None, {"input": part})[0] for part in portion]
                for session, portion in zip(sessions, parts)
            ]

        return run

    found = [np.concatenate(parts) for parts in portions(count)()]
    apart = max(far(a, b) for a, b in zip(found, outputs))
    sizes = [1] if step == "network-1" else [256, 64, 32, 16]
    return Work(
        count,
        {f"portions of {size}": portions(size) for size in sizes},
        (apart, 1e-4, "largest difference of a vector's numbers"),
    )


# MARK: Search


def search(options, step):
    import faiss

    faiss.omp_set_num_threads(options.threads)
    with record(options.record, step) as file:
        samples, queries = file["samples"][...], file["queries"][...]
        rows, distances = file["rows"][...], file["distances"][...]
    index = faiss.IndexFlatL2(samples.shape[1])
    index.add(samples)
    squared, found = index.search(queries, 3)
    apart = far(np.sqrt(np.maximum(squared, 0)), distances)
    same = float(np.mean(found == rows))
    single = step.endswith("-1")
    parts = [queries[i:i + 1] for i in range(len(queries))] if single else [queries]

    def with_threshold(threshold):
        def run():
            faiss.cvar.distance_compute_blas_threshold = threshold
            for part in parts:
                index.search(part, 3)

        return run

    variants = {
        "BLAS from 20 queries": with_threshold(20), "always BLAS": with_threshold(1),
        "never BLAS": with_threshold(1 << 30),
    }
    return Work(
        len(queries),
        variants,
        (
            apart if same > 0.999 else 1.0,
            2e-3,
            f"distances; {100 * same:.2f} % of the rows are the same",
        ),
    )


# MARK: Matrices


def multiply(options, step):
    import torch

    torch.set_num_threads(options.threads)
    matrix = torch.randn(2048, 2048)
    return Work(1, {"matmul": lambda: torch.mm(matrix, matrix)}, (0.0, 0.0, "nothing"))


WORKS = {
    "multiply": multiply,
    "train-reference-sgd": train, "train-reference-adamw": train,
    "train-embedding-1": train, "train-embedding-2": train,
    "network-256": network, "network-1": network,
    "rasterize": ink.rasterize_equal, "rasterize-16": ink.rasterize_sixteen,
    "rasterize-fast": ink.rasterize_fast,
    "rasterize-stepped": ink.rasterize_fast, "read": ink.read,
    "classify": ink.classify, "classify-fast": ink.classify,
}
for name in ("1k", "10k", "100k"):
    WORKS[f"search-{name}-1"] = WORKS[f"search-{name}-256"] = search

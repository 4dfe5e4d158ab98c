"""Networks as other programs write them, in many variants, are taken with the right vectors, or
refused with the right reason. `scripts/network-suites` makes a table of what happens."""

import subprocess

import pytest
from network_suites import results


@pytest.mark.parametrize("kind, library", [("onnx", "onnx"), ("coreml", "coremltools")])
def test_variants(request, tmp_path, kind, library):
    pytest.importorskip(library)
    pytest.importorskip("onnxruntime")
    program = request.config.getoption("--drawml")

    def run(*arguments):
        made = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
        return made.returncode, made.stderr

    faults, count = [], 0
    for variant, said, difference in results(run, kind, tmp_path):
        count += 1
        if variant.taken and (said or difference > 1e-5):
            faults.append(f"{variant.name}: {said or difference}")
        if not variant.taken and (variant.reason not in said or "damaged" in said):
            faults.append(f"{variant.name}: {said or 'taken'}, not: {variant.reason}")
    assert count > 45 and not faults, "\n".join(faults)

"""The description of the API is what the server does: schemathesis makes requests from it, valid
ones and others, and compares the answers."""

import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
DESCRIPTION = FOLDER.parents[1] / "docs/studio-api.yaml"


def test_the_server_does_what_the_description_says(serve, tmp_path, request):
    server = serve(tmp_path / "workspace")
    # For each operation, and in seconds.
    examples, most = (10, 45) if request.config.getoption("--all") else (3, 20)
    run = subprocess.run(
        [
            Path(sys.executable).with_name("schemathesis"),
            "--config-file", FOLDER / "schemathesis.toml",
            "run", DESCRIPTION, "--url", server.url,
            "--seed", "1", "--max-examples", str(examples), "--max-time", str(most), "--no-shrink",
            "--phases", "examples,coverage,fuzzing", "--continue-on-failure",
            # A stream has no end, and files of exports are no JSON.
            "--exclude-path-regex", "events|import|export",
            "--request-timeout", "20", "--no-color", "--warnings", "off",
            "--generation-database", "none",
            # How much Hypothesis throws away says nothing about the server.
            "--suppress-health-check", "all",
        ],
        cwd=tmp_path, text=True, capture_output=True, timeout=300,
        env={**os.environ, "SCHEMATHESIS_HOOKS": "even_strokes", "PYTHONPATH": str(FOLDER)},
    )
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr
    assert server.ask("GET", "/state")["activeModel"]

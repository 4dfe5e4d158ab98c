"""The packages of scripts/package: manual, completions, and contents. `scripts/package --check`
installs them."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from conftest import ROOT

MISSING = [tool for tool in ("dpkg-deb", "dpkg-shlibdeps", "patchelf", "strip")
           if not shutil.which(tool)]


def run(*arguments, **options):
    result = subprocess.run([*map(str, arguments)], capture_output=True, text=True, **options)
    assert result.returncode == 0, result.stderr
    return result.stdout


def command_paths(command):
    """The names of a command and of all below it, as their pages are called."""
    yield command["commandName"]
    for child in command.get("subcommands", []):
        if child["shouldDisplay"] and child["commandName"] != "help":
            for path in command_paths(child):
                yield f"{command['commandName']}-{path}"


@pytest.fixture(scope="module")
def program(request):
    return request.config.getoption("--drawml")


@pytest.fixture(scope="module")
def help_texts(drawml):
    return json.loads(drawml("--experimental-dump-help"))["command"]


@pytest.fixture(scope="module")
def manual(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("manual")
    run(sys.executable, ROOT / "scripts/make-manual", program, folder,
        env=os.environ | {"SOURCE_DATE_EPOCH": "86400"})
    return folder


def rendered(page):
    result = subprocess.run(
        ["man", "--warnings", "--local-file", page], capture_output=True, text=True,
        env=os.environ | {"MANWIDTH": "100", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""})
    assert result.returncode == 0 and not result.stderr, f"{page}: {result.stderr}"
    return result.stdout


@pytest.mark.skipif(not shutil.which("man"), reason="man is not installed")
def test_each_command_has_a_manual_page_without_warnings(manual, help_texts, drawml):
    pages = {page.stem: page for page in manual.iterdir()}
    assert set(pages) == set(command_paths(help_texts))
    if shutil.which("mandoc"):
        run("mandoc", "-Tlint", "-Wwarning", *pages.values())
    texts = {name: rendered(page) for name, page in pages.items()}
    for name, text in texts.items():
        assert "SYNOPSIS" in text and "1970-01-02" in text, name
        assert f"drawml {drawml('--version').strip()}" in text, name
    # Examples keep their lines, options their hyphens, and opposites are together.
    train = texts["drawml-train"]
    examples = [line.strip() for line in train.split("EXAMPLES")[1].splitlines()]
    assert "drawml train datasets/starter --output shapes.drawml" in examples
    assert "-o, --output output" in train and "--adapt, --no-adapt" in train
    assert "drawml-train(1)" in texts["drawml"] and "drawml-model(1)" in texts["drawml-model-list"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_parse(shell, drawml, tmp_path):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "completions"
    script.write_text(drawml("--generate-completion-script", shell))
    assert "drawml" in script.read_text()
    run(shell, "-n", script)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd")
def test_systemd_accepts_the_unit(program, tmp_path):
    unit = tmp_path / "drawml-studio.service"
    text = (ROOT / "packaging/drawml-studio.service").read_text()
    assert "\nExecStart=/usr/bin/drawml studio" in text
    unit.write_text(text.replace("\nExecStart=/usr/bin/drawml ", f"\nExecStart={program} "))
    result = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", unit], capture_output=True, text=True,
        env=os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)})
    assert result.returncode == 0 and not result.stderr, result.stderr


@pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")
def test_packages_hold_what_they_should_and_are_reproducible(
        program, help_texts, drawml, tmp_path):
    runs = [
        subprocess.Popen(
            [ROOT / "scripts/package", "--quick", "--drawml", program, "--output", tmp_path / name],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for name in ("first", "second")
    ]
    for made in runs:
        errors = made.communicate()[1]
        assert made.returncode == 0, errors
    version = drawml("--version").strip()
    first, second = ({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()}
                     for name in ("first", "second"))
    # Where they differ, the bytes would fill the screen.
    assert {name for name in first | second if first.get(name) != second.get(name)} == set()
    deb, = (tmp_path / "first").glob("drawml_*.deb")
    archive, = (tmp_path / "first").glob("drawml-*.tar")

    fields = run("dpkg-deb", "--field", deb)
    assert f"Version: {version}\n" in fields
    depends = run("dpkg-deb", "--field", deb, "Depends")
    assert "libopenblas0" in depends and "libc6 (>= " in depends
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as stream, \
            tarfile.open(fileobj=stream.stdout, mode="r|") as tar:
        names, copyright = set(), ""
        for member in tar:
            names.add(member.name)
            assert member.uname == "root" and member.mode & 0o022 == 0, member.name
            if member.name.endswith("/copyright"):
                copyright = tar.extractfile(member).read().decode()
    pages = {f"./usr/share/man/man1/{path}.1.gz" for path in command_paths(help_texts)}
    assert names >= pages | {
        "./usr/bin/drawml", "./usr/lib/systemd/user/drawml-studio.service",
        "./usr/share/drawml/models/base.drawml", "./usr/share/drawml/datasets/starter/star.ndjson",
        "./usr/share/bash-completion/completions/drawml",
        "./usr/share/zsh/vendor-completions/_drawml",
        "./usr/share/fish/vendor_completions.d/drawml.fish",
    }
    assert not any("libopenblas" in name for name in names)
    for part in ("GRDB", "hummingbird", "HDF5", "Intel", "SIL OPEN FONT LICENSE", "Unicode, Inc."):
        assert part in copyright, part

    top = f"drawml-{version}-linux-{os.uname().machine}"
    with tarfile.open(archive) as tar:
        assert {name.split("/")[0] for name in tar.getnames()} == {top}
    run("tar", "--extract", "--file", archive, "--directory", tmp_path)
    folder = tmp_path / top
    libraries = {file.name for file in (folder / "lib/drawml").iterdir()}
    assert {"libopenblas.so.0", "libgfortran.so.5", "libsqlite3.so.0"} <= libraries
    # All but the C library are its own, and each comes with its license.
    for line in run("ldd", folder / "bin/drawml").splitlines():
        name = line.split()[0]
        assert "not found" not in line
        if name in libraries:
            assert str(folder) in line, line
        else:
            assert name.startswith(("linux-vdso", "libc.", "libm.", "/lib")), line
    assert run(folder / "bin/drawml", "--version").strip() == version
    notices = folder / "share/doc/drawml/libraries"
    assert "source: openblas" in (notices / "libopenblas0-pthread").read_text()
    assert (folder / "share/doc/drawml/Apache-2.0").read_text() == (ROOT / "LICENSE").read_text()
    page = gzip.open(folder / "share/man/man1/drawml.1.gz", "rt").read()
    assert page.startswith(".TH")


def test_wrong_use_is_told(tmp_path):
    for arguments, sentence in [
        (["--frob"], "there is no argument '--frob'"), (["--output"], "--output needs a path"),
        (["--drawml", tmp_path / "none"], "there is no program at "),
    ]:
        result = subprocess.run([ROOT / "scripts/package", *arguments], capture_output=True,
                                text=True)
        assert result.returncode == 1 and sentence in result.stderr, result.stderr


def test_the_licenses_of_all_libraries_that_are_linked_statically_are_shipped():
    maps = (ROOT / "Sources").glob("*/*/module.modulemap")
    linked = set(re.findall(r'link ":lib(\w+)\.a"', "".join(map(Path.read_text, maps))))
    packages = {"expat": "libexpat1-dev", "hdf5_serial": "libhdf5-dev", "lapacke": "liblapacke-dev",
                "qrcodegen": "libqrcodegen-dev", "turbojpeg": "libturbojpeg0-dev"}
    assert linked == set(packages), "name the package of a new library here and in scripts/package"
    script = (ROOT / "scripts/package").read_text()
    assert all(f"{package}:" in script for package in packages.values())

"""What runs with `scripts/test-studio --all` alone: variants that seldom fail where others pass."""

import pytest

# Marks a test that another one, or one of Tests/PageLogic, stands for in each run.
thorough = pytest.mark.thorough


def often(*values, then=()):
    """The values of a matrix for `parametrize`: some for each run, `then` those for `--all`."""
    return [*values, *(pytest.param(each, marks=thorough) for each in then)]

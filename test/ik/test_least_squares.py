"""The bounded least-squares solver against an independent optimiser and its own optimality conditions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear, minimize

from climbing_rig.ik.least_squares import MAX_PASSES, make_rows, solve_in_box


def solve(jacobian, error, damping, mobility, prior, lower, upper, one_sided=None):
    m, n = jacobian.shape
    rows = make_rows(m + 2, n)
    rows.jt[:, :m] = jacobian.T
    rows.error[:m], rows.damping[:m] = error, damping
    rows.one_sided[:m] = 0 if one_sided is None else one_sided
    x, fixed = np.empty(n), np.empty(n, np.int64)
    passes = solve_in_box(rows, m, mobility, prior, lower, upper, fixed, x)
    return x, fixed, passes


def random_problem(seed, rows=6, variables=14):
    rng = np.random.default_rng(seed)
    return {
        "jacobian": rng.normal(size=(rows, variables)),
        "error": rng.normal(size=rows),
        "damping": 10.0 ** rng.uniform(-4, 0, rows),
        "mobility": 10.0 ** rng.uniform(-1, 1, variables),
        "prior": rng.normal(size=variables) * 0.3,
        "lower": -rng.uniform(0.01, 0.5, variables),
        "upper": rng.uniform(0.01, 0.5, variables),
    }


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_solution_is_the_optimum_in_the_box(seed):
    p = random_problem(seed)
    x, _, passes = solve(**p)
    stacked = np.vstack((p["jacobian"] / np.sqrt(p["damping"])[:, None], np.diag(1 / np.sqrt(p["mobility"]))))
    side = np.concatenate((p["error"] / np.sqrt(p["damping"]), p["prior"] / np.sqrt(p["mobility"])))
    best = lsq_linear(stacked, side, (p["lower"], p["upper"]), tol=1e-14, method="bvls")
    assert passes < MAX_PASSES
    assert (x >= p["lower"]).all() and (x <= p["upper"]).all()
    np.testing.assert_allclose(x, best.x, atol=1e-6)


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_one_sided_rows_only_push(seed):
    p = random_problem(seed, rows=5, variables=9)
    one_sided = np.array([0, 0, 1, 1, 1])
    x, _, passes = solve(**p, one_sided=one_sided)

    def cost(v):
        miss = p["error"] - p["jacobian"] @ v
        miss = np.where(one_sided == 1, np.maximum(miss, 0.0), miss)
        return np.sum(miss**2 / p["damping"]) + np.sum((v - p["prior"]) ** 2 / p["mobility"])

    start = np.clip(p["prior"], p["lower"], p["upper"])
    best = minimize(cost, start, bounds=list(zip(p["lower"], p["upper"], strict=True)), tol=1e-14)
    assert passes < MAX_PASSES
    assert cost(x) <= best.fun * (1 + 1e-6) + 1e-9


def test_hard_rows_are_met_when_the_box_has_room():
    p = random_problem(3) | {"damping": np.full(6, 1e-9), "lower": np.full(14, -10.0), "upper": np.full(14, 10.0)}
    x, fixed, _ = solve(**p)
    np.testing.assert_allclose(p["jacobian"] @ x, p["error"], atol=1e-7)
    assert not fixed.any()


def test_a_frozen_variable_stays_at_its_bound():
    p = random_problem(4)
    p["lower"][3] = p["upper"][3] = 0.25
    x, _, _ = solve(**p)
    assert x[3] == 0.25


def test_dependent_hard_rows_do_not_break_the_factor():
    p = random_problem(5)
    p["jacobian"][3:] = p["jacobian"][:3]
    p["error"][3:] = p["error"][:3]
    p["damping"][:] = 1e-9
    x, _, _ = solve(**p)
    assert np.isfinite(x).all()


def test_no_rows_leave_the_prior_clipped_to_the_box():
    p = random_problem(6)
    rows = make_rows(1, 14)
    x, fixed = np.empty(14), np.empty(14, np.int64)
    solve_in_box(rows, 0, p["mobility"], p["prior"], p["lower"], p["upper"], fixed, x)
    np.testing.assert_array_equal(x, np.clip(p["prior"], p["lower"], p["upper"]))


@pytest.mark.parametrize("seed", range(5))
def test_same_input_gives_the_same_bits(seed):
    p = random_problem(seed)
    assert solve(**p)[0].tobytes() == solve(**p)[0].tobytes()

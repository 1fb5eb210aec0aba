"""The one small solver under every whole-body step: weighted least squares in a box, solved in row space.

    minimise   sum_j (x_j - prior_j)^2 / mobility_j  +  sum_i (J_i x - e_i)^2 / damping_i
    subject to lower <= x <= upper;  a one-sided row i counts only while J_i x < e_i

There are few rows (three a limb) and many columns (a whole body), so the normal equations are built over the rows:
``(J M J^T + D) mu = e - J prior``, ``x = prior + M J^T mu`` with M the mobilities and D the dampings. A damping near
zero makes a row hard, a large one a wish. Bounds are handled by an active set: every variable that leaves the box is
fixed at its bound and the rest solved anew, and one whose multiplier points back inside is released. Freezing inside
the solve, instead of clamping afterwards, is what lets the others make up for a joint that is at its end.

Fixing all violators at once is quick and nearly always enough, but can go round in circles; after ``BOLD_PASSES`` the
solver changes to the textbook primal method (Nocedal & Wright, Numerical Optimization, 16.5), which fixes only the
first variable it runs into and cannot.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]
Flags = NDArray[np.int64]

#: Passes that fix every violator at once; whole bodies need 1 to 6.
BOLD_PASSES = 16
#: After that the primal method goes on; it ends by itself, this bounds the time of a tick.
MAX_PASSES = 120
BOUND_TOLERANCE = 1e-12


class Rows(NamedTuple):
    """Workspace of one problem with up to M rows and N variables, preallocated; row i is column i of ``jt``."""

    jt: Array
    """(N, M) Jacobian, transposed, so that adding a column's share to the Gram matrix runs over contiguous rows."""
    error: Array
    """(M,) wished J x."""
    damping: Array
    """(M,) > 0; 1e-9 is a hard row."""
    one_sided: Flags
    """(M,) 1 where J x may exceed ``error`` freely."""
    active: Flags
    """(M,) out: 1 where the row counted."""
    multiplier: Array
    """(M,) out: mu."""
    gram: Array
    """(M, M) scratch."""
    factor: Array
    """(M, M) scratch."""
    side: Array
    """(M,) scratch."""
    wish: Array
    """(N,) scratch."""


def make_rows(capacity: int, variables: int) -> Rows:
    """A workspace for ``capacity`` rows over ``variables`` columns."""
    return Rows(
        jt=np.zeros((variables, capacity)),
        error=np.zeros(capacity),
        damping=np.ones(capacity),
        one_sided=np.zeros(capacity, np.int64),
        active=np.zeros(capacity, np.int64),
        multiplier=np.zeros(capacity),
        gram=np.zeros((capacity, capacity)),
        factor=np.zeros((capacity, capacity)),
        side=np.zeros(capacity),
        wish=np.zeros(variables),
    )


@njit(cache=True)
def _add_to_gram(rows: Rows, count: int, j: int, scale: float) -> None:
    """Adds ``scale`` * column j (outer) column j to the lower half of the Gram matrix."""
    jt, gram = rows.jt, rows.gram
    for a in range(count):
        s = scale * jt[j, a]
        if s != 0.0:
            for b in range(a + 1):
                gram[a, b] += s * jt[j, b]


@njit(cache=True)
def _solve_active(rows: Rows, count: int) -> None:
    """Multipliers of the active rows for the right-hand side in ``rows.side``, by Cholesky; others get 0."""
    gram, factor, mu = rows.gram, rows.factor, rows.multiplier
    for a in range(count):
        if rows.active[a] == 0:
            continue
        for b in range(a + 1):
            if rows.active[b] == 0:
                continue
            s = gram[a, b]
            if a == b:
                s += rows.damping[a]
            for k in range(b):
                if rows.active[k] != 0:
                    s -= factor[a, k] * factor[b, k]
            if a == b:
                # The damping is a floor: rounding must not make a dependent hard row lose it.
                factor[a, a] = math.sqrt(max(s, 0.5 * rows.damping[a]))
            else:
                factor[a, b] = s / factor[b, b]
    for a in range(count):
        mu[a] = 0.0
        if rows.active[a] != 0:
            s = rows.side[a]
            for k in range(a):
                if rows.active[k] != 0:
                    s -= factor[a, k] * mu[k]
            mu[a] = s / factor[a, a]
    for a in range(count - 1, -1, -1):
        if rows.active[a] != 0:
            s = mu[a]
            for k in range(a + 1, count):
                if rows.active[k] != 0:
                    s -= factor[k, a] * mu[k]
            mu[a] = s / factor[a, a]


@njit(cache=True)
def _pull(rows: Rows, count: int, j: int) -> float:
    """(J^T mu)_j: how strongly the rows pull variable j."""
    s = 0.0
    for a in range(count):
        s += rows.jt[j, a] * rows.multiplier[a]
    return s


@njit(cache=True)
def _fix_all_outside(
    rows: Rows, count: int, mobility: Array, lower: Array, upper: Array, fixed: Flags, x: Array
) -> bool:
    """Takes the wish and fixes every free variable that leaves the box; True if any did."""
    changed = False
    for j in range(x.shape[0]):
        if fixed[j] != 0:
            continue
        x[j] = rows.wish[j]
        if x[j] < lower[j] - BOUND_TOLERANCE:
            fixed[j] = -1
            x[j] = lower[j]
        elif x[j] > upper[j] + BOUND_TOLERANCE:
            fixed[j] = 1
            x[j] = upper[j]
        if fixed[j] != 0:
            changed = True
            _add_to_gram(rows, count, j, -mobility[j])
    return changed


@njit(cache=True)
def _walk_to_first_bound(
    rows: Rows, count: int, mobility: Array, lower: Array, upper: Array, fixed: Flags, x: Array
) -> bool:
    """Goes from x straight towards the wish and fixes the first variable that meets its bound; False on arrival."""
    share, first = 1.0, -1
    for j in range(x.shape[0]):
        if fixed[j] != 0:
            continue
        x[j] = min(max(x[j], lower[j]), upper[j])
        way = rows.wish[j] - x[j]
        room = (lower[j] if way < 0.0 else upper[j]) - x[j]
        if abs(way) > abs(room) + BOUND_TOLERANCE and room / way < share:
            share, first = room / way, j
    for j in range(x.shape[0]):
        if fixed[j] == 0:
            x[j] += share * (rows.wish[j] - x[j])
    if first < 0:
        return False
    fixed[first] = -1 if rows.wish[first] < x[first] else 1
    x[first] = lower[first] if fixed[first] < 0 else upper[first]
    _add_to_gram(rows, count, first, -mobility[first])
    return True


@njit(cache=True)
def _activate_missed(rows: Rows, count: int, x: Array) -> bool:
    """Makes every one-sided row count that x falls short of; True if any did."""
    changed = False
    for a in range(count):
        if rows.one_sided[a] != 0 and rows.active[a] == 0:
            reached = 0.0
            for j in range(x.shape[0]):
                reached += rows.jt[j, a] * x[j]
            if reached < rows.error[a] - 1e-10:
                rows.active[a] = 1
                changed = True
    return changed


@njit(cache=True)
def _deactivate_pulling(rows: Rows, count: int) -> bool:
    """Lets the one-sided row go that most pulls where it may only push; True if there was one."""
    worst, row = 1e-9, -1
    for a in range(count):
        if rows.one_sided[a] != 0 and rows.active[a] != 0 and -rows.multiplier[a] > worst:
            worst, row = -rows.multiplier[a], a
    if row >= 0:
        rows.active[row] = 0
    return row >= 0


@njit(cache=True)
def solve_in_box(
    rows: Rows,
    count: int,
    mobility: Array,
    prior: Array,
    lower: Array,
    upper: Array,
    fixed: Flags,
    x: Array,
) -> int:
    """Solves the module's problem for the first ``count`` rows.

    Args:
        rows: The problem's rows; ``active`` and ``multiplier`` are written.
        count: Rows in use.
        mobility: (N,) >= 0; how readily a variable leaves its prior; 0 freezes it at the prior.
        prior: (N,) where the variables would like to be.
        lower: (N,) lower bounds.
        upper: (N,) upper bounds, >= lower.
        fixed: (N,) out: -1 at the lower bound, +1 at the upper, 0 free.
        x: (N,) out: the solution, inside the box to the last bit.

    Returns:
        Passes used; MAX_PASSES when the active set did not come to rest (x is still inside the box).
    """
    n = x.shape[0]
    for a in range(count):
        rows.active[a] = 1 - rows.one_sided[a]
        for b in range(a + 1):
            rows.gram[a, b] = 0.0
    for j in range(n):
        fixed[j] = 0
        x[j] = prior[j]
        if lower[j] >= upper[j]:
            fixed[j] = -1
            x[j] = lower[j]
        else:
            _add_to_gram(rows, count, j, mobility[j])

    passes = 0
    while passes < MAX_PASSES:
        passes += 1
        for a in range(count):
            rows.side[a] = rows.error[a]
        for j in range(n):
            value = x[j] if fixed[j] != 0 else prior[j]
            if value != 0.0:
                for a in range(count):
                    rows.side[a] -= rows.jt[j, a] * value
        _solve_active(rows, count)

        for j in range(n):
            if fixed[j] == 0:
                rows.wish[j] = prior[j] + mobility[j] * _pull(rows, count, j)
        if passes <= BOLD_PASSES:
            changed = _fix_all_outside(rows, count, mobility, lower, upper, fixed, x)
        else:
            changed = _walk_to_first_bound(rows, count, mobility, lower, upper, fixed, x)
        bold = passes <= BOLD_PASSES
        # The walk needs its objective to stay what it is until it has arrived.
        if (bold or not changed) and _activate_missed(rows, count, x):
            changed = True
        if changed:
            continue
        # Feasible: is it optimal? The variable most wrongly held is let go; one at a time cannot cycle as fast.
        worst, held = 1e-9, -1
        for j in range(n):
            if fixed[j] == 0 or lower[j] >= upper[j] or mobility[j] <= 0.0:
                continue
            inward = -fixed[j] * (prior[j] + mobility[j] * _pull(rows, count, j) - x[j]) / mobility[j]
            if inward > worst:
                worst, held = inward, j
        if held >= 0:
            fixed[held] = 0
            _add_to_gram(rows, count, held, mobility[held])
        elif not _deactivate_pulling(rows, count):
            break

    for j in range(n):
        x[j] = min(max(x[j], lower[j]), upper[j])
    return passes

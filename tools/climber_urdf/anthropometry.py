"""Segment lengths, masses, centres of mass and inertias of a person, from one published table.

P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters", Journal of Biomechanics 29(9), 1996,
pp. 1223-1230, table 4, males (mean height 1.741 m). Heights of landmarks that the table does not give are body
proportions after R. Drillis and R. Contini, "Body segment parameters", New York University, 1966, as reprinted in
D. A. Winter, "Biomechanics and Motor Control of Human Movement", 4th ed., 2009, figure 4.1.
"""

from __future__ import annotations

from dataclasses import dataclass

HEIGHT = 1.75
"""Metres."""
MASS = 70.0
"""Kilograms."""
TABLE_HEIGHT = 1.741


@dataclass(frozen=True)
class Segment:
    """One row of the table, scaled to HEIGHT and MASS.

    Attributes:
        mass: kg.
        length: m, between the joint centres.
        com: m from the proximal end.
        inertia: Moments about the centre of mass, kg m2: (sagittal axis x, transverse axis y, longitudinal axis).
    """

    mass: float
    length: float
    com: float
    inertia: tuple[float, float, float]


def _row(mass: float, length: float, com: float, *radii: float) -> Segment:
    """Scales a row: shares of body mass and of segment length, in percent; the mean length in millimetres."""
    kg, m = MASS * mass / 100.0, HEIGHT * length / 1000.0 / TABLE_HEIGHT
    x, y, z = (kg * (m * radius / 100.0) ** 2 for radius in radii)
    return Segment(kg, m, m * com / 100.0, (x, y, z))


#: name: mass, length, centre of mass, radii of gyration about the sagittal, transverse and longitudinal axis
HEAD = _row(6.94, 203.3, 59.76, 36.2, 37.6, 31.2)  # vertex to mid-gonion, neck included
UPPER_TRUNK = _row(15.96, 170.7, 29.99, 71.6, 45.4, 65.9)  # suprasternale to xiphion, shoulders included
MIDDLE_TRUNK = _row(16.33, 215.5, 45.02, 48.2, 38.3, 46.8)  # xiphion to omphalion
LOWER_TRUNK = _row(11.17, 145.7, 61.15, 61.5, 55.1, 58.7)  # omphalion to mid-hip
UPPER_ARM = _row(2.71, 281.7, 57.72, 28.5, 26.9, 15.8)
FOREARM = _row(1.62, 268.9, 45.74, 27.6, 26.5, 12.1)
HAND = _row(0.61, 187.9, 36.24, 28.8, 23.5, 18.4)  # wrist to tip of the middle finger
THIGH = _row(14.16, 422.2, 40.95, 32.9, 32.9, 14.9)
SHANK = _row(4.33, 440.3, 43.95, 25.1, 24.6, 10.2)
FOOT = _row(1.37, 258.1, 44.15, 25.7, 24.5, 12.4)  # heel to toe: its longitudinal axis lies along x

#: Heights above the ground when standing, of HEIGHT (Drillis and Contini).
ANKLE_HEIGHT = 0.039 * HEIGHT
SHOULDER_HEIGHT = 0.818 * HEIGHT - 0.035  # the joint is that far under the top of the shoulder
HIP_HEIGHT = ANKLE_HEIGHT + SHANK.length + THIGH.length

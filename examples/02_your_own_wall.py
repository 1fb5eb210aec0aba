"""Walls from points, files and generators, and the three questions they answer.

python examples/02_your_own_wall.py [FILE or generated:NAME?option=value]
"""

import sys

import numpy as np

from climbing_rig import Wall

if len(sys.argv) > 1:
    wall = Wall.from_spec(sys.argv[1])
else:
    # A bulging wall 1 m ahead, as a scanner at the origin might see it. The viewpoint tells which side is out.
    y, z = np.meshgrid(np.arange(-1.5, 1.5, 0.02), np.arange(0.0, 3.0, 0.02))
    x = 1.0 - 0.2 * np.exp(-((y**2) + (z - 1.5) ** 2) / 0.3)
    wall = Wall.from_points(np.column_stack((x.ravel(), y.ravel(), z.ravel())), viewpoint=(0.0, 0.0, 1.5))

print(wall)
low, high = wall.bounds
middle = 0.5 * (low + high)
before, behind = middle - np.array([5.0, 0.0, 0.0]), middle + np.array([5.0, 0.0, 0.0])

hit = wall.trace(before, behind)
print("a ray:    ", None if hit is None else (hit.point.round(3), hit.normal.round(2), round(hit.distance, 3)))

ball = wall.sweep_sphere(before, behind, 0.16)
print("a sphere: ", None if ball is None else (ball.center.round(3), round(ball.distance, 3)))

near = wall.nearest(middle - np.array([0.5, 0.0, 0.0]))
print("nearest:  ", near.point.round(3), near.normal.round(2), round(near.distance, 3))

"""Inverse kinematics: a bounded least-squares solver, the full-body proposal built on it, and the gate."""

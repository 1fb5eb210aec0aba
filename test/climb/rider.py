"""A rider that checks every bound of the gate on every tick it takes."""

from __future__ import annotations

import numpy as np

from climbing_rig import Climber, ClimberState, LimbCommand, Phase

DT = 0.005


class Rider:
    """Steps a climber and holds every tick against the bounds that must never be broken."""

    def __init__(self, climber: Climber) -> None:
        self.climber = climber
        self.state: ClimberState = climber.state
        self.worst_drift = 0.0
        model = climber.model
        self._velocity = dict(zip(model.joint_names, model.velocity, strict=True))
        self._limits = dict(zip(model.joint_names, zip(model.lower, model.upper, strict=True), strict=True))

    def tick(self, commands: dict | None = None, dt: float = DT) -> ClimberState:
        """One tick, with every bound asserted."""
        before, self.state = self.state, self.climber.step(dt, commands or {})
        body = self.climber.description.body
        for name, velocity in self._velocity.items():
            value = self.state.joints[name]
            lower, upper = self._limits[name]
            assert lower <= value <= upper, f"{name} at {value} is outside [{lower}, {upper}]"
            speed = abs(value - before.joints[name]) / dt
            assert speed <= velocity, f"{name} moved at {speed} rad/s of {velocity}"
        base_speed = np.linalg.norm(self.state.base.position - before.base.position) / dt
        assert base_speed <= body.speed
        turn = 2.0 * np.arccos(min(abs(float(self.state.base.orientation @ before.base.orientation)), 1.0)) / dt
        assert turn <= body.turn_rate + 1e-4  # arccos near 1
        for name, limb in self.state.limbs.items():
            assert np.isfinite(limb.tip).all()
            jump = np.linalg.norm(limb.tip - before.limbs[name].tip)
            if limb.contact is not None:
                drift = float(np.linalg.norm(limb.tip - limb.contact))
                self.worst_drift = max(self.worst_drift, drift)
                assert drift <= 1e-4, f"{name} drifted {drift * 1e3} mm"
            assert jump <= self.climber.description.limbs[name].follow_speed * dt + 2e-5
        return self.state

    def until(self, done, commands: dict | None = None, ticks: int = 1500) -> bool:
        """Ticks until ``done(state)``; False when it did not come."""
        return any(done(self.tick(commands)) for _ in range(ticks))

    def phase(self, limb: str, phase: Phase, commands: dict | None = None, ticks: int = 1500) -> bool:
        """Ticks until the limb is in a phase; False when it did not come."""
        return self.until(lambda state: state.limbs[limb].phase is phase, commands, ticks)

    def release(self, limb: str) -> None:
        """Lets a limb go and waits until it hovers."""
        self.tick({limb: LimbCommand(grip=False)})
        assert self.phase(limb, Phase.CANDIDATE), self.state.limbs[limb]

    def grip(self, limb: str) -> bool:
        """Asks for a grip; True when the limb locked."""
        self.tick({limb: LimbCommand(grip=True)})
        return self.phase(limb, Phase.LOCKED, ticks=600)

"""Attach to a generated wall, move one hand up, grip: the whole loop in a few lines, without ROS.

python examples/01_first_hold.py
"""

from climbing_rig import Climber, LimbCommand, Phase, Wall

DT = 0.005

climber = Climber.from_files(wall=Wall.from_spec("generated:flat"))
state = climber.attach()
print("attached:", {name: limb.phase.value for name, limb in state.limbs.items()})

state = climber.step(DT, {"right_hand": LimbCommand(grip=False)})
while state.limbs["right_hand"].phase is not Phase.CANDIDATE:
    state = climber.step(DT, {})

for _ in range(160):  # 0.8 s at 0.4 m/s, a little to the right
    state = climber.step(DT, {"right_hand": LimbCommand(move=(0.05, 0.4))})

state = climber.step(DT, {"right_hand": LimbCommand(grip=True)})
while state.limbs["right_hand"].phase is Phase.GRIPPING:
    state = climber.step(DT, {})

print("right hand:", state.limbs["right_hand"].phase.value, "at", state.limbs["right_hand"].contact.round(3))
for name, limb in state.limbs.items():
    drift = max(abs(limb.tip - limb.contact))
    print(f"{name:11s} holds; {drift * 1e3:.4f} mm from where it locked")

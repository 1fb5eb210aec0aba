"""Another robot by a description alone: LORIS, half a metre long, crawls up a wall.

python examples/03_your_own_robot.py [CONFIG.yaml [URDF]]
"""

import sys

from climbing_rig import Climber, LimbCommand, Phase, Wall

config = sys.argv[1] if len(sys.argv) > 1 else "config/loris.yaml"
urdf = sys.argv[2] if len(sys.argv) > 2 else None
wall = Wall.from_spec("generated:flat?width=2&height=2&spacing=0.01")
climber = Climber.from_files(urdf=urdf, config=config, wall=wall)
state = climber.attach()
print(f"{climber.model.name}: {len(climber.joint_names)} joints, limbs {', '.join(climber.limb_names)}")
start = state.base.position[2]

for limb in climber.limb_names:
    state = climber.step(0.005, {limb: LimbCommand(grip=False)})
    while state.limbs[limb].phase is not Phase.CANDIDATE:
        state = climber.step(0.005, {})
    for _ in range(120):
        state = climber.step(0.005, {limb: LimbCommand(move=(0.0, 0.1))})
    state = climber.step(0.005, {limb: LimbCommand(grip=True)})
    while state.limbs[limb].phase is Phase.GRIPPING:
        state = climber.step(0.005, {})
    print(f"{limb}: {state.limbs[limb].phase.value} {state.limbs[limb].reason}")

print(f"risen {state.base.position[2] - start:.3f} m")

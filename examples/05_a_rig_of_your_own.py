"""The climbing solve with one more node: the climber looks at the hand that it moves. Then a look inside.

python examples/05_a_rig_of_your_own.py
"""

from climbing_rig import Climber, LimbCommand, Wall
from climbing_rig.rig import load_graph

DT = 0.005

graph = load_graph("config/rigs/climber.yaml")
graph.add("climb.limb", "seen", {"limb": "left_hand"})
graph.add(
    "ik.look_at",
    "look",
    {"bones": ["neck", "head"], "axis": (1.0, 0.0, 0.0), "up_axis": (0.0, 0.0, 1.0), "target": "$seen.target"},
)

climber = Climber.from_files(wall=Wall.from_spec("generated:flat"), rig=graph)
climber.attach()
climber.step(DT, {"left_hand": LimbCommand(grip=False)})
for _ in range(400):  # 2 s
    state = climber.step(DT, {"left_hand": LimbCommand(move=(-0.1, 0.2))})

print("left hand:", state.limbs["left_hand"].tip.round(3))
print("neck turned by", round(state.joints["neck_turn"], 3), "rad, the head by", round(state.joints["head_turn"], 3))
print("what its nodes say: extension", round(climber.rig.get("weigh.extension"), 3), "off", climber.rig.get("look.off"))
worst = max(abs(limb.tip - limb.contact).max() for limb in state.limbs.values() if limb.contact is not None)
print(f"the other limbs are within {worst * 1e3:.4f} mm of where they locked")

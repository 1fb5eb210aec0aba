"""Other robots climb by their description alone."""

import numpy as np
import pytest
from rider import Rider

from climbing_rig import Climber, LimbCommand, Phase, Wall
from climbing_rig.wall.spec import cloud_from_spec

TALOS = """
urdf: {urdf}
body: {{pelvis: base_link, chest: torso_2_link, start: [-0.8, 0, 0], probes: {{base_link: 0.14, torso_2_link: 0.18}}}}
posture: {{arm_left_2_joint: 0.5, arm_right_2_joint: -0.5, arm_left_4_joint: -1.2, arm_right_4_joint: -1.2,
  leg_left_3_joint: -0.9, leg_right_3_joint: -0.9, leg_left_4_joint: 1.4, leg_right_4_joint: 1.4}}
limbs:
  left_hand: {{kind: hand, root: arm_left_2_link, mid: arm_left_4_link, end: arm_left_7_link,
    tip: wrist_left_ft_link, stance: [-0.3, 0.5]}}
  right_hand: {{kind: hand, root: arm_right_2_link, mid: arm_right_4_link, end: arm_right_7_link,
    tip: wrist_right_ft_link, stance: [0.3, 0.5]}}
  left_foot: {{kind: foot, root: leg_left_3_link, mid: leg_left_4_link, end: leg_left_6_link,
    tip: left_sole_link, stance: [-0.2, -0.6]}}
  right_foot: {{kind: foot, root: leg_right_3_link, mid: leg_right_4_link, end: leg_right_6_link,
    tip: right_sole_link, stance: [0.2, -0.6]}}
"""


@pytest.fixture(scope="module")
def loris() -> Rider:
    wall = Wall(cloud_from_spec("generated:flat?spacing=0.01&width=1.5&height=1.5"))
    climber = Climber.from_files(config="config/loris.yaml", wall=wall)
    climber.attach()
    return Rider(climber)


def test_loris_crawls_up_with_its_belly_to_the_wall(loris):
    climber, before = loris.climber, loris.state.base.position[2]
    for _ in range(2):
        for limb in climber.limb_names:
            loris.release(limb)
            loris.until(lambda _: False, {limb: LimbCommand(move=(0.0, 0.1))}, ticks=120)
            assert loris.grip(limb), loris.state.limbs[limb]
    loris.until(lambda _: False, ticks=300)
    x, y, z, w = loris.state.base.orientation
    belly = -np.array([2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)])
    assert loris.state.base.position[2] > before + 0.06
    assert belly @ [1.0, 0.0, 0.0] > 0.9
    assert loris.worst_drift <= 1e-4


def test_loris_wrists_stay_within_their_limits_and_speeds_though_nothing_drives_them(loris):
    assert loris.climber.model.passive.sum() == 12
    assert loris.phase("front_left", Phase.LOCKED, ticks=5)


def test_talos_keeps_three_holds_by_a_config_file_alone_while_the_fourth_limb_is_dragged(tmp_path, walls, request):
    config = tmp_path / "talos.yaml"
    config.write_text(TALOS.format(urdf=request.config.rootpath / "test/data/urdf/talos.urdf"))
    climber = Climber.from_files(config=config, wall=walls["flat"])
    climber.attach()
    rider = Rider(climber)
    for limb in ("left_hand", "right_foot"):
        climber.set_wall(walls["flat"])
        rider.tick({limb: LimbCommand(grip=False)})
        rider.until(lambda _: False, ticks=50)
        climber.set_wall(None)
        home = rider.state.limbs[limb].tip
        for direction in ([-1.0, 0.0, 0.0], [0.0, 0.6, 0.8], [0.0, -0.8, -0.6]):
            rider.until(lambda _: False, {limb: LimbCommand(goal=tuple(home + 1.5 * np.array(direction)))}, ticks=300)
            rider.until(lambda _: False, {limb: LimbCommand(goal=tuple(home))}, ticks=300)
        climber.set_wall(walls["flat"])
        rider.phase(limb, Phase.CANDIDATE, ticks=200)
        rider.grip(limb)
    assert rider.worst_drift <= 1e-4

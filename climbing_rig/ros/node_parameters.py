"""The parameters of every node, one row each; the documentation is made from the same rows.

``python -m climbing_rig.ros.node_parameters > docs/parameters.md`` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping

from climbing_rig.ros.parameters import Parameter

FRAMES = (
    Parameter("map_frame", "map", "Frame of the wall and of all contacts."),
    Parameter("odom_frame", "odom", "Frame in which /tf gives the root link."),
)

CLIMBER = (
    Parameter("robot", "config/climber.yaml", "The robot: its limbs, body and posture (YAML)."),
    Parameter("urdf", "", "Its URDF; empty: the one the robot file names."),
    Parameter("rig", "", "The graph that proposes its poses (YAML); empty: the one the robot file names.",
              read_only=False),
    Parameter("watch_rig", True, "Whether a changed rig file is loaded while the node runs.", read_only=False),
    Parameter("rate", 200.0, "Ticks a second.", "Hz", 20.0, 1000.0),
    *FRAMES,
    Parameter("map_to_odom", (0.0,) * 6, "Pose of odom in map: x y z, roll pitch yaw.", "m, rad"),
    Parameter("publish_map_to_odom", True, "Whether that pose is published on /tf_static (false: a localiser does)."),
    Parameter("publish_link_frames", False, "Publish every link on /tf; only where robot_state_publisher is absent."),
    Parameter("min_contacts", 1, "LOCKED limbs that must remain; a release that would leave fewer is refused.",
              "", 0, 16),
    Parameter("attach_on_wall", False, "Attach by itself when the first wall arrives."),
    Parameter("wall_timeout", 5.0, "Time without any wall after which the status warns.", "s", 0.0, 3600.0),
    Parameter("cmd_timeout", 0.1, "Age, by its stamp, at which a limb command ends.", "s", 0.01, 2.0, read_only=False),
    Parameter("marker_rate", 10.0, "Marker messages a second; 0: none.", "Hz", 0.0, 60.0, read_only=False),
    Parameter("trace_pins", ("*",), "What ~/rig_trace tells: patterns over node.pin, variables and graph inputs.",
              read_only=False),
    Parameter("trace_rate", 10.0, "Ticks of the rig a second on ~/rig_trace, if somebody listens; 0: none.", "Hz",
              0.0, 60.0, read_only=False),
)  # fmt: skip

WALL_PUBLISHER = (
    Parameter("wall", "tall", "A wall of the package (tall, leaning, …), 'generated:NAME?option=value', or a file "
              "(.ply .pcd .las .laz .npy .mat .stl .obj) with options."),
    Parameter("scale", 1.0, "Multiplies all coordinates.", "", 1e-6, 1e6),
    Parameter("up", "", "The axis that becomes z; empty: as it is.", choices=("", "x", "y", "z", "-x", "-y", "-z")),
    Parameter("wall_pose", (0.0,) * 6, "Where the wall stands in frame_id: x y z, roll pitch yaw.", "m, rad"),
    Parameter("crop", "", "Box kept, in frame_id: 'x0 y0 z0 x1 y1 z1'; empty: everything.", "m"),
    Parameter("frame_id", "map", "Frame of the published cloud."),
)  # fmt: skip

TELEOP_KEYBOARD = (
    Parameter("keys", "config/teleop/keyboard.yaml", "Which key does what (YAML)."),
    Parameter("speed", 0.3, "Speed of a moved limb.", "m/s", 0.01, 2.0, read_only=False),
    Parameter("hold_time", 0.35, "How long one key press moves a limb; longer than the terminal's key repeat.",
              "s", 0.05, 2.0, read_only=False),
    Parameter("rate", 20.0, "Commands a second.", "Hz", 11.0, 100.0),
)  # fmt: skip

TELEOP_JOY = (
    Parameter("pad", "config/teleop/xbox.yaml", "Which axis and button does what (YAML)."),
    Parameter("speed", 0.5, "Speed of a limb at full deflection.", "m/s", 0.01, 2.0, read_only=False),
    Parameter("joy_timeout", 0.5, "Time without a Joy message after which commands stop.", "s", 0.05, 5.0,
              read_only=False),
    Parameter("rate", 20.0, "Commands a second.", "Hz", 11.0, 100.0),
)  # fmt: skip

VIEW = (
    Parameter("host", "127.0.0.1", "Address the page is served on; 0.0.0.0 shows it to the whole network."),
    Parameter("port", 8080, "Its port; the next free one when it is taken.", "", 1, 65535),
    Parameter("rate", 30.0, "Pictures a second.", "Hz", 1.0, 60.0),
    Parameter("climber", "climber", "Name of the climber's node, whose contacts, tips and status are shown."),
    FRAMES[0],
)  # fmt: skip

NODES: Mapping[str, tuple[Parameter, ...]] = {
    "climber": CLIMBER,
    "wall_publisher": WALL_PUBLISHER,
    "teleop_keyboard": TELEOP_KEYBOARD,
    "teleop_joy": TELEOP_JOY,
    "view": VIEW,
}


def documentation() -> str:
    """The tables of docs/parameters.md."""
    lines = [
        "# Parameters",
        "",
        "Made by `python -m climbing_rig.ros.node_parameters`; edit climbing_rig/ros/node_parameters.py instead.",
        "An integer is accepted wherever a number is meant. *live* parameters may be changed while the node runs.",
    ]
    for node, rows in NODES.items():
        lines += [
            "",
            f"## {node}",
            "",
            "| name | default | range | unit | live | what it is |",
            "|---|---|---|---|---|---|",
        ]
        for row in rows:
            default = list(row.default) if isinstance(row.default, tuple) else row.default
            shown = f"`{default!r}`" if default != "" else "empty"
            live = "" if row.read_only else "yes"
            lines.append(f"| `{row.name}` | {shown} | {row.range_text} | {row.unit} | {live} | {row.description} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(documentation(), end="")

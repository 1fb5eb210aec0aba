"""A climber on a wall: ``ros2 launch climbing_rig climb.launch.py`` (``--show-args`` lists what can be chosen)."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction, SetEnvironmentVariable, Shutdown
from launch.launch_description_entity import LaunchDescriptionEntity
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from climbing_rig.model import load_description
from climbing_rig.ros.dds import profile_environment
from climbing_rig.share import resolve, share_dir

PACKAGE = "climbing_rig"
YES_NO = ("true", "false")

ARGUMENTS = (
    # name, default, what it is, the only values accepted
    ("robot", "config/climber.yaml", "robot description (YAML)", None),
    ("urdf", "", "its URDF; empty: the one the YAML names", None),
    ("rig", "", "graph that proposes its poses (YAML), loaded anew when it changes; empty: the YAML's", None),
    ("rate", "200.0", "ticks a second, Hz", None),
    ("attach", "true", "attach by itself when the wall is there", YES_NO),
    ("wall", "holds", "file or name of a wall; none: something else publishes wall/map", None),
    ("wall_scale", "1.0", "multiplies a file's coordinates", None),
    ("wall_up", "", "the file's axis that becomes z; empty: as it is", ("", "x", "y", "z", "-x", "-y", "-z")),
    ("wall_crop", "", "box of the wall that is kept, m: 'x0 y0 z0 x1 y1 z1'; empty: everything", None),
    ("wall_pose", "0 0 0 0 0 0", "the wall in map, m and rad: 'x y z roll pitch yaw'", None),
    ("teleop", "none", "what moves the limbs", ("none", "keyboard", "joy")),
    ("terminal", "xterm -e", "command that gives the keyboard teleop a terminal", None),
    ("pad", "config/teleop/xbox.yaml", "joystick layout (YAML)", None),
    ("rviz", "false", "start RViz", YES_NO),
    ("view", "true", "serve the page", YES_NO),
    ("namespace", "", "namespace of every node", None),
    ("use_sim_time", "false", "time from /clock", YES_NO),
)


def generate_launch_description() -> LaunchDescription:
    """The arguments, and the nodes as soon as the arguments are known."""
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=words, choices=choices)
        for name, default, words, choices in ARGUMENTS
    ]
    return LaunchDescription([*arguments, OpaqueFunction(function=_nodes)])


def _nodes(context: LaunchContext) -> list[LaunchDescriptionEntity]:
    """The actions for the chosen arguments."""

    def given(name: str) -> str:
        return LaunchConfiguration(name).perform(context)

    common = {"use_sim_time": given("use_sim_time") == "true"}
    urdf = given("urdf") or load_description(resolve(given("robot"))).urdf
    has_state_publisher = _installed("robot_state_publisher")

    def node(executable: str, package: str = PACKAGE, **options: object) -> Node:
        options["parameters"] = [common, options.get("parameters", {})]
        # Time enough to end in order on a slow computer, before launch ends it by force.
        options["sigterm_timeout"] = "15"
        return Node(package=package, executable=executable, namespace=given("namespace"), output="screen", **options)

    actions: list[LaunchDescriptionEntity] = [
        SetEnvironmentVariable(name, value) for name, value in profile_environment().items()
    ]
    actions.append(
        node(
            "climber",
            parameters={
                "robot": _text(given("robot")),
                "urdf": _text(urdf),
                "rig": _text(given("rig")),
                "rate": float(given("rate")),
                "attach_on_wall": given("attach") == "true",
                "publish_link_frames": not has_state_publisher,
            },
            on_exit=Shutdown(reason="the climber has ended"),
        )
    )
    if has_state_publisher:
        description = {"robot_description": _text(resolve(urdf).read_text(encoding="utf-8"))}
        actions.append(node("robot_state_publisher", "robot_state_publisher", parameters=description))
    if given("wall") != "none":
        wall = {
            "wall": _text(given("wall")),
            "scale": float(given("wall_scale")),
            "up": _text(given("wall_up")),
            "crop": _text(given("wall_crop")),
            "wall_pose": _numbers("wall_pose", given("wall_pose"), 6),
        }
        actions.append(node("wall_publisher", parameters=wall))
    actions += _teleop(given("teleop"), given("terminal"), given("pad"), node)
    if given("rviz") == "true":
        actions.append(node("rviz2", "rviz2", arguments=["-d", str(share_dir() / "rviz" / "climb.rviz")]))
    if given("view") == "true":
        actions.append(node("view"))
    return actions


def _teleop(kind: str, terminal: str, pad: str, node: Callable[..., Node]) -> list[LaunchDescriptionEntity]:
    """What the chosen teleop needs: a terminal of its own for the keyboard, the pad's driver for the joystick."""
    if kind == "joy":
        return [node("joy_node", "joy"), node("teleop_joy", parameters={"pad": _text(pad)})]
    if kind == "none":
        return []
    if shutil.which(terminal.split()[0] if terminal else "") is None:
        return [
            LogInfo(msg=f"No terminal '{terminal}' for the keyboard; run: ros2 run {PACKAGE} teleop_keyboard"),
        ]
    return [node("teleop_keyboard", prefix=terminal)]


def _text(value: str) -> ParameterValue:
    """A text parameter; launch reads a bare str as YAML, where a colon in a URDF's comment is an error."""
    return ParameterValue(value, value_type=str)


def _installed(package: str) -> bool:
    try:
        get_package_prefix(package)
    except PackageNotFoundError:
        return False
    return True


def _numbers(name: str, text: str, count: int) -> list[float]:
    """Numbers from an argument such as "0 0 1.5 0 0 0"; commas and brackets are accepted too.

    Raises:
        ValueError: There are not ``count`` of them.
    """
    words = text.strip("[] ").replace(",", " ").split()
    if len(words) != count:
        raise ValueError(f"{name} is '{text}'; it must be {count} numbers")
    return [float(word) for word in words]

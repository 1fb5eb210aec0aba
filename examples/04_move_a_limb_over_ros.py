"""Moves a limb of a running climber over ROS 2: take the right hand off, move it up, grip again.

Start a climber first (`make demo`, or `ros2 launch climbing_rig climb.launch.py`), then

    python examples/04_move_a_limb_over_ros.py [LIMB]
"""

import sys
import time

import rclpy
from geometry_msgs.msg import TwistStamped
from std_srvs.srv import SetBool

LIMB = sys.argv[1] if len(sys.argv) > 1 else "right_hand"


def grip(node, value: bool) -> SetBool.Response:
    client = node.create_client(SetBool, f"{LIMB}/grip")
    if not client.wait_for_service(timeout_sec=5.0):
        sys.exit(f"nobody offers {LIMB}/grip: is a climber running, in this ROS_DOMAIN_ID?")
    future = client.call_async(SetBool.Request(data=value))
    rclpy.spin_until_future_complete(node, future, timeout_sec=5.0)
    return future.result()


def main() -> None:
    rclpy.init()
    node = rclpy.create_node("move_a_limb")
    commands = node.create_publisher(TwistStamped, "limb_cmds", 10)
    print("release:", grip(node, False).message)
    time.sleep(0.5)
    end = time.monotonic() + 1.0
    while time.monotonic() < end:
        command = TwistStamped()
        command.header.stamp = node.get_clock().now().to_msg()  # a command without a fresh stamp is not obeyed
        command.header.frame_id = LIMB
        command.twist.linear.y = 0.3  # up the wall, m/s
        commands.publish(command)
        time.sleep(0.05)
    time.sleep(0.5)
    print("grip:", grip(node, True).message)
    node.destroy_node()
    rclpy.shutdown()


if __name__ == "__main__":
    main()

"""ROS 2: nodes and message conversion only; whatever moves the climber is in the core, which knows no ROS."""

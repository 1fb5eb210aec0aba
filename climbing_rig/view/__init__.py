"""The web page: a viser scene and a panel that watch and steer the climber over ROS, like any other viewer."""

"""One limb at a time: its phases, the guide the user steers, the hold under it, and what it asks of the body."""

from climbing_rig.limbs.command import LimbCommand
from climbing_rig.limbs.phases import Phase, Request

__all__ = ["LimbCommand", "Phase", "Request"]

"""Every error climbing_rig raises on purpose.

One root, so that a caller can catch all of them; each says what it is about, what was given and what would have been
accepted, and carries these three as attributes for programs.
"""

from __future__ import annotations

from collections.abc import Iterable


class ClimbingRigError(Exception):
    """Root of all errors of this package.

    Attributes:
        name: The thing the error is about (a joint, a limb, a file, a parameter), or None.
        given: The value that was refused, or None.
        choices: The names that would have been accepted, sorted as given; empty when there is no such list.
    """

    def __init__(
        self, message: str, *, name: str | None = None, given: object = None, choices: Iterable[str] = ()
    ) -> None:
        self.name = name
        self.given = given
        self.choices = tuple(choices)
        if self.choices:
            message = f"{message}; valid: {', '.join(self.choices)}"
        super().__init__(message)


class ModelError(ClimbingRigError):
    """A robot description that cannot be used; ``name`` is the joint, link or file."""


class ConfigError(ClimbingRigError):
    """A configuration file that cannot be used; ``name`` is the key."""


class CloudError(ClimbingRigError):
    """A point cloud or mesh that cannot be used; ``name`` is the file, topic or field."""


class CommandError(ClimbingRigError):
    """A call or command that is wrong in itself; nothing has changed."""


class AttachError(ClimbingRigError):
    """No placement on the wall was found; ``choices`` names the limbs that found no hold. Nothing has changed."""


class RigError(ClimbingRigError):
    """A rig graph that cannot be compiled or executed; ``name`` is the node (or unit), ``pin`` the pin.

    Attributes:
        pin: The pin it is about, or None.
        line: Line of the graph's file, or None.
    """

    def __init__(
        self,
        message: str,
        *,
        name: str | None = None,
        pin: str | None = None,
        line: int | None = None,
        given: object = None,
        choices: Iterable[str] = (),
    ) -> None:
        self.pin = pin
        self.line = line
        super().__init__(message, name=name, given=given, choices=choices)

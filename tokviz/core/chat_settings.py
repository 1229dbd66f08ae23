"""ChatSettings: what a file says about chats with its model: templates, and the tokens that they name."""

from collections.abc import Mapping
from dataclasses import dataclass, field

DEFAULT = "default"


@dataclass(frozen=True)
class ChatSettings:
    """Chat templates, and special tokens by their role.

    templates: Jinja by name, "default" first. tokens: "bos_token", "eos_token", "unk_token", "pad_token" and the like,
    as text.

    >>> ChatSettings({"tool_use": "b", "default": "a"}).templates
    {'default': 'a', 'tool_use': 'b'}
    """

    templates: Mapping[str, str] = field(default_factory=dict)
    tokens: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Put the default template first."""
        ordered = sorted(self.templates.items(), key=lambda item: item[0] != DEFAULT)
        object.__setattr__(self, "templates", dict(ordered))

"""The theme of .streamlit/config.toml, as Streamlit tells it to a browser with every run.

Streamlit gathers it anew for each of them, out of all options there are, which is a seventh of the server's work for a
key. While a server runs it stays as it is.
"""

from functools import cache

from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session


def say_theme_from_memory() -> None:
    """Have Streamlit gather each part of the theme once; where its way to do so has another name, nothing changes."""
    gather = getattr(app_session, "_populate_theme_msg", None)
    if gather is None or hasattr(gather, "gathered"):
        return

    @cache
    def gathered(section: str) -> CustomThemeConfig:
        theme = CustomThemeConfig()
        gather(theme, section)
        return theme

    def say(message: CustomThemeConfig, section: str = "theme") -> None:
        if gathered(section).ByteSize():  # an empty part is left out altogether
            message.MergeFrom(gathered(section))

    say.gathered = gathered
    app_session._populate_theme_msg = say

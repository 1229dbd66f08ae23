"""The theme as a browser is told it, gathered once."""

from streamlit import config
from streamlit.proto.NewSession_pb2 import NewSession
from streamlit.runtime import app_session

from pages.ui.theme import say_theme_from_memory


def test_the_theme_told_from_memory_is_that_of_the_options():
    say_theme_from_memory()
    for _ in range(2):
        session = NewSession()
        theme = session.custom_theme
        for section, part in (("theme", theme), ("theme.light", theme.light), ("theme.dark", theme.dark)):
            app_session._populate_theme_msg(part, section)
        for name, part in (("light", theme.light), ("dark", theme.dark)):
            options = config.get_options_for_section(f"theme.{name}")
            assert part.primary_color == options["primaryColor"] != ""
            assert list(part.chart_categorical_colors) == options["chartCategoricalColors"]
        assert theme.light.primary_color != theme.dark.primary_color
        app_session._populate_theme_msg(theme.sidebar, "theme.sidebar")
        assert not theme.HasField("sidebar")  # no option is of the sidebar alone

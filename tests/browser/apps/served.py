"""A server of one of these apps, named in the environment as SCRIPT, with the routes and headers of the real one."""

import os

import streamlit as st
from starlette.middleware import Middleware

from pages.ui.shared import live
from tokviz.server.headers import SafeHeaders
from tokviz.server.routes import routes

app = st.App(os.environ["SCRIPT"], routes=routes(""), middleware=[Middleware(SafeHeaders)])
live.set_up_for_serving()

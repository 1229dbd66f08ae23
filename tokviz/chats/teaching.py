"""Chat templates written for teaching: how little a format needs, and what each choice costs in tokens."""

TEMPLATES = {
    "Transcript": """\
{%- for message in messages %}
{{- message.role | capitalize }}: {{ message.content | trim }}
{% endfor %}
{%- if add_generation_prompt %}
{{- "Assistant:" }}
{%- endif %}
""",
    "Headings": """\
{%- for message in messages %}
{{- "### " ~ message.role | capitalize ~ "\\n\\n" ~ message.content | trim ~ "\\n\\n" }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- "### Assistant\\n\\n" }}
{%- endif %}
""",
    "Tags": """\
{%- for message in messages %}
{{- "<" ~ message.role ~ ">" ~ message.content | trim ~ "</" ~ message.role ~ ">\\n" }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- "<assistant>" }}
{%- endif %}
""",
    "Strict turns": """\
{%- set start = 0 %}
{%- set rules = "" %}
{%- if messages and messages[0].role == "system" %}
{%- set start = 1 %}
{%- set rules = messages[0].content | trim ~ "\\n\\n" %}
{%- endif %}
{%- for message in messages[start:] %}
{%- if message.role != ("user" if loop.index0 % 2 == 0 else "assistant") %}
{{- raise_exception("user and assistant take turns, and the user begins") }}
{%- endif %}
{%- if message.role == "user" %}
{{- bos_token | default("") ~ "[QUESTION] " ~ (rules if loop.first else "") ~ message.content | trim ~ " [ANSWER]" }}
{%- else %}
{{- " " ~ message.content | trim ~ eos_token | default("\\n") }}
{%- endif %}
{%- endfor %}
""",
}

"""Chat templates written for teaching: how little a format needs, and what each choice costs in tokens.

Those named after a family write its turns, without what its own template adds for dates and tools.
"""

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
    "As Llama 3": """\
{{- bos_token | default("<|begin_of_text|>") }}
{%- for message in messages %}
{{- "<|start_header_id|>" ~ message.role ~ "<|end_header_id|>\\n\\n" ~ message.content | trim ~ "<|eot_id|>" }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- "<|start_header_id|>assistant<|end_header_id|>\\n\\n" }}
{%- endif %}
""",
    "As Mistral": """\
{{- bos_token | default("<s>") }}
{%- for message in messages %}
{%- if message.role == "assistant" %}
{{- message.content | trim ~ eos_token | default("</s>") }}
{%- else %}
{{- "[INST]" ~ message.content | trim ~ "[/INST]" }}
{%- endif %}
{%- endfor %}
""",
    "As Gemma": """\
{{- bos_token | default("<bos>") }}
{%- for message in messages %}
{%- set role = "model" if message.role == "assistant" else "user" %}
{{- "<start_of_turn>" ~ role ~ "\\n" ~ message.content | trim ~ "<end_of_turn>\\n" }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- "<start_of_turn>model\\n" }}
{%- endif %}
""",
    "As Qwen 3": """\
{%- set last = namespace(question=-1) %}
{%- for message in messages %}
{%- if message.role == "user" %}
{%- set last.question = loop.index0 %}
{%- endif %}
{%- endfor %}
{%- for message in messages %}
{{- "<|im_start|>" ~ message.role ~ "\\n" }}
{%- if message.role == "assistant" %}
{%- generation %}
{%- if message.reasoning_content and loop.index0 > last.question %}
{{- "<think>\\n" ~ message.reasoning_content | trim ~ "\\n</think>\\n\\n" }}
{%- endif %}
{{- message.content | trim ~ "<|im_end|>" }}
{%- endgeneration %}
{%- else %}
{{- message.content | trim ~ "<|im_end|>" }}
{%- endif %}
{{- "\\n" }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- "<|im_start|>assistant\\n" }}
{%- endif %}
""",
}

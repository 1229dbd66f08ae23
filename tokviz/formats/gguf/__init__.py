"""GGUF, the files of llama.cpp and Ollama: the tokenizer in the header of a model."""

from tokviz.formats.gguf.conversion import library_file
from tokviz.formats.gguf.header import MAGIC, header_bytes, key_values

__all__ = ["MAGIC", "header_bytes", "key_values", "library_file"]

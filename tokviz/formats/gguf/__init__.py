"""GGUF, the files of llama.cpp and Ollama: the tokenizer in the header of a model."""

"""The files of Hugging Face: tokenizer.json, and the vocab.json with its merges.txt that came before it."""

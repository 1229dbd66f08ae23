"""The audit of a vocabulary: tokens no text can produce, twins, and candidates for under-training."""

"""A conversation turn by turn: what each prompt keeps of the one before, what is trained on, and what finds trouble."""

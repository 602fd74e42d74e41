"""Have a language model say what no rule can read: irregular tables, pictures of slides."""

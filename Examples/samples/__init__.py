"""The sample containers: what is in them, and how they are written. `../make-samples.py` is the way in."""

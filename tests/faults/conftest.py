"""What pytest leaves alone in this folder."""

collect_ignore = ["shared_disk.py"]  # a program of its own, which needs mfusepy

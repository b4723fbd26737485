"""Small disks, which a test can fill."""

import shutil
import subprocess
from pathlib import Path


def mounted(place: Path, *options: str) -> bool:
    """Whether a file system of its own is in this folder now, which only root can do."""
    words = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(place)]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def unmount(place: Path) -> None:
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(disk: Path, but: int = 0) -> Path:
    """Fill the disk but for so many bytes."""
    ballast = disk / "ballast"
    free = shutil.disk_usage(disk).free
    ballast.write_bytes(b"x" * max(0, free - but))
    return ballast

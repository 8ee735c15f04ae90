"""Which file systems cannot promise one owner and a flush: network and user-space ones (decision 24)."""

from __future__ import annotations

import re
from pathlib import Path

_UNSAFE = re.compile(r"nfs\d*|cifs|smb\d*|smbfs|9p|virtiofs|fuse(\..+|blk|ctl)?|afs|ceph|glusterfs|lustre|ncpfs")
_MOUNTS = Path("/proc/self/mounts")


def unsafe_kind(path: str, mounts: str | None = None) -> str:
    """Return the kind of file system a path is on when it is unsafe, else "".

    `mounts` is the text of the system's mount table, read from /proc when None; where there is none, nothing is known
    and nothing is refused.
    """
    if mounts is None:
        try:
            mounts = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return ""
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = _unescaped(fields[1])
        # A later mount on the same point hides the earlier one.
        if len(point) >= len(best) and _inside(path, point):
            best, kind = point, fields[2]
    return kind if _UNSAFE.fullmatch(kind) else ""


def _inside(path: str, point: str) -> bool:
    return point == "/" or path == point or path.startswith(point.rstrip("/") + "/")


def _unescaped(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)

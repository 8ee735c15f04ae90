"""Which file systems are recognised as unsafe, from the mount table."""

from __future__ import annotations

import pytest

from agentl.journal.stores.filesystem import unsafe_kind

MOUNTS = """\
/dev/vda / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
//nas/share /mnt/with\\040space cifs rw 0 0
sshfs#x /mnt/far fuse.sshfs rw 0 0
host /mnt/host 9p rw 0 0
/dev/vdb /home/local xfs rw 0 0
tmpfs /mnt/host/tmp tmpfs rw 0 0
/dev/vdc /mnt/over ext4 rw 0 0
gluster /mnt/over fuse.glusterfs rw 0 0
broken
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/runs", ""),
        ("/home/ann/runs", "nfs4"),
        ("/home", "nfs4"),
        ("/homes/ann", ""),
        ("/home/local/runs", ""),
        ("/mnt/with space/runs", "cifs"),
        ("/mnt/far/x", "fuse.sshfs"),
        ("/mnt/host/x", "9p"),
        ("/mnt/host/tmp/x", ""),
        ("/mnt/over/x", "fuse.glusterfs"),
    ],
)
def test_the_deepest_and_latest_mount_decides(path: str, kind: str) -> None:
    assert unsafe_kind(path, MOUNTS) == kind


def test_without_a_mount_table_nothing_is_refused() -> None:
    assert unsafe_kind("/x", "") == ""

#pragma once

#include <stdint.h>
#include <sys/types.h>

struct vg_peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

// SO_PEERCRED: who connected, as it was at connect time.
int vg_peer_credentials(int socket, struct vg_peer_credentials *credentials);

// SO_PEERPIDFD (Linux 6.5): a pidfd of who connected, close-on-exec. ENOPROTOOPT where the kernel has none.
int vg_peer_pidfd(int socket);

// The inode number of the socket at the other end of a connected Unix socket of this network namespace, by that of this
// end (sock_diag(7)); 0 when it is gone or cannot be told.
uint32_t vg_peer_socket_inode(uint32_t inode);

struct vg_tcp_peer {
    uint32_t inode;
    uid_t uid;
};

// The socket at the other end of a TCP connection within this network namespace (sock_diag(7)): its inode number, and
// whose it is. ENOENT where there is none here, as for a caller from another machine.
int vg_tcp_peer(int connection, struct vg_tcp_peer *peer);

#pragma once

#include <stdint.h>
#include <sys/types.h>

struct vg_peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

// SO_PEERCRED: the peer at connect time.
int vg_peer_credentials(int socket, struct vg_peer_credentials *credentials);

// SO_PEERPIDFD (Linux 6.5): a pidfd of the peer, close-on-exec. ENOPROTOOPT on older kernels.
int vg_peer_pidfd(int socket);

// The inode number of the peer of a connected Unix socket in this network namespace, by the inode number of this end
// (sock_diag(7)); 0 when it is gone or unknown.
uint32_t vg_peer_socket_inode(uint32_t inode);

struct vg_tcp_peer {
    uint32_t inode;
    uid_t uid;
};

// The peer's socket of a TCP connection within this network namespace (sock_diag(7)): its inode number and user. ENOENT if
// there is none, as for a caller on another machine.
int vg_tcp_peer(int connection, struct vg_tcp_peer *peer);

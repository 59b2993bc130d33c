#define _GNU_SOURCE
#include "CLinux.h"

#include <sys/socket.h>

// Debian 12's headers are older than the option.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int vg_peer_credentials(int socket, struct vg_peer_credentials *credentials) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
    credentials->pid = peer.pid;
    credentials->uid = peer.uid;
    credentials->gid = peer.gid;
    return 0;
}

int vg_peer_pidfd(int socket) {
    int pidfd = -1;
    socklen_t length = sizeof pidfd;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &length) != 0) return -1;
    return pidfd;
}

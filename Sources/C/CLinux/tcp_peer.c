#include "peer.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int put(const struct sockaddr_storage *from, uint32_t address[4], uint16_t *port) {
    if (from->ss_family == AF_INET) {
        const struct sockaddr_in *ip = (const struct sockaddr_in *)from;
        address[0] = ip->sin_addr.s_addr;
        *port = ip->sin_port;
        return 0;
    }
    if (from->ss_family == AF_INET6) {
        const struct sockaddr_in6 *ip = (const struct sockaddr_in6 *)from;
        memcpy(address, &ip->sin6_addr, sizeof ip->sin6_addr);
        *port = ip->sin6_port;
        return 0;
    }
    errno = EAFNOSUPPORT;
    return -1;
}

int vg_tcp_peer(int connection, struct vg_tcp_peer *peer) {
    struct sockaddr_storage near = {0}, far = {0};
    socklen_t near_length = sizeof near, far_length = sizeof far;
    if (getsockname(connection, (struct sockaddr *)&near, &near_length) ||
        getpeername(connection, (struct sockaddr *)&far, &far_length))
        return -1;
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 request;
    } question = {
        .header = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
        .request = {.sdiag_family = (uint8_t)far.ss_family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0U},
    };
    struct inet_diag_sockid *socket_id = &question.request.id;
    // No cookie: at most one socket has these addresses.
    socket_id->idiag_cookie[0] = socket_id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    // From the peer's view: the far address is its own.
    if (put(&far, socket_id->idiag_src, &socket_id->idiag_sport) ||
        put(&near, socket_id->idiag_dst, &socket_id->idiag_dport))
        return -1;
    int diagnosis = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (diagnosis < 0) return -1;
    int result = -1, failure = ENOENT;
    // The kernel answers during send, so recv never has to wait.
    if (send(diagnosis, &question, sizeof question, 0) == sizeof question) {
        union {
            struct nlmsghdr header;
            char bytes[1024];
        } answer;
        ssize_t length = recv(diagnosis, &answer, sizeof answer, MSG_DONTWAIT);
        const struct inet_diag_msg *found = NLMSG_DATA(&answer.header);
        if (length > 0 && NLMSG_OK(&answer.header, (size_t)length) &&
            answer.header.nlmsg_type == SOCK_DIAG_BY_FAMILY &&
            answer.header.nlmsg_len >= NLMSG_LENGTH(sizeof *found) && found->idiag_inode != 0) {
            peer->inode = found->idiag_inode;
            peer->uid = found->idiag_uid;
            result = 0;
        }
    } else {
        failure = errno;
    }
    close(diagnosis);
    if (result) errno = failure;
    return result;
}

#define _GNU_SOURCE
#include "peer.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static uint32_t peer_in(const struct nlmsghdr *header, uint32_t inode) {
    const struct unix_diag_msg *answer = NLMSG_DATA(header);
    if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY || header->nlmsg_len < NLMSG_LENGTH(sizeof *answer) ||
        answer->udiag_ino != inode)
        return 0;
    const struct rtattr *attribute = (const struct rtattr *)(answer + 1);
    unsigned int rest = header->nlmsg_len - NLMSG_LENGTH(sizeof *answer);
    for (; RTA_OK(attribute, rest); attribute = RTA_NEXT(attribute, rest)) {
        uint32_t peer;
        if (attribute->rta_type != UNIX_DIAG_PEER || RTA_PAYLOAD(attribute) < sizeof peer) continue;
        memcpy(&peer, RTA_DATA(attribute), sizeof peer);
        return peer;
    }
    return 0;
}

uint32_t vg_peer_socket_inode(uint32_t inode) {
    struct {
        struct nlmsghdr header;
        struct unix_diag_req request;
    } question = {
        .header = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
        .request =
            {
                .sdiag_family = AF_UNIX,
                .udiag_states = ~0U,
                .udiag_ino = inode,
                .udiag_show = UDIAG_SHOW_PEER,
                // No cookie: any socket with this inode.
                .udiag_cookie = {~0U, ~0U},
            },
    };
    int diagnosis = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (diagnosis < 0) return 0;
    uint32_t peer = 0;
    // The kernel answers during send, so recv never has to wait.
    if (send(diagnosis, &question, sizeof question, 0) == sizeof question) {
        union {
            struct nlmsghdr header;
            char bytes[1024];
        } answer;
        ssize_t length = recv(diagnosis, &answer, sizeof answer, MSG_DONTWAIT);
        if (length > 0 && NLMSG_OK(&answer.header, (size_t)length)) peer = peer_in(&answer.header, inode);
    }
    close(diagnosis);
    return peer;
}

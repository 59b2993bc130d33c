#!/usr/bin/env bash
# Writes subtitles of a sound file, by curl over VoiceGate's Unix socket. The file comes last: the fields before it say how
# it is recognised.
set -euo pipefail
# The machine's own service where there is one, else the user's.
socket=/run/voicegate/voicegate.sock
[[ -S $socket ]] || socket=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}/voicegate/voicegate.sock
socket=${VOICEGATE_SOCKET:-$socket}

curl --silent --show-error --fail-with-body --unix-socket "$socket" \
    http://voicegate/v1/audio/transcriptions \
    --form response_format=srt --form file="@$1"

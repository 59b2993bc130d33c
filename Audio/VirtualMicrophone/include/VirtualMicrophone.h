#pragma once

// ALSA loads this library by its path and calls the entry that SND_PCM_PLUGIN_DEFINE_FUNC declares; nothing is meant
// to be called from here. What it is and how it is configured: Audio/README.md.

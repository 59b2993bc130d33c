// For the files of this target alone.
#pragma once
#include "CPocketSphinx.h"

#include <pocketsphinx.h>

// The library's decoder; owned by `decoder`.
ps_decoder_t *vg_decoder_engine(vg_decoder *decoder);

// The name that ps_init gives to the search of its configuration (pocketsphinx_internal.h, PS_DEFAULT_SEARCH).
static const char vg_default_search[] = "_default";

// For the files of this target alone.
#pragma once
#include "CPocketSphinx.h"

#include <pocketsphinx.h>

// The library's decoder in ours; it stays ours.
ps_decoder_t *vg_decoder_engine(vg_decoder *decoder);

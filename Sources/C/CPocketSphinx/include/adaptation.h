// Adapting the acoustic model to a voice, and what sphinxtrain needs for that.
#pragma once
#include "CPocketSphinx.h"

// How many values each feature stream has. Returns how many streams there are, at most `most` of them are written.
int vg_decoder_streams(vg_decoder *decoder, int lengths[], int most);

// Applies an MLLR matrix until the decoder is closed or another is applied. `means` and `variances`: names by which the
// model's files can be opened now, or NULL for the original paths. A matrix of other dimensions ends the process. 0, or
// negative when the library refuses.
int vg_decoder_adapt(vg_decoder *decoder, const char *matrix, const char *means, const char *variances);

// Writes the cepstra of the samples in sphinxtrain's format: an int32 with the number of values, then the values as float32
// frame by frame. Returns the number of frames, or negative with errno.
int vg_decoder_write_cepstra(vg_decoder *decoder, const int16_t *samples, size_t count, const char *path);

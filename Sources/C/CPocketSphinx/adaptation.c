#include "adaptation.h"
#include "engine.h"

#include <errno.h>
#include <sphinxbase/ckd_alloc.h>
#include <sphinxbase/cmd_ln.h>
#include <sphinxbase/fe.h>
#include <sphinxbase/feat.h>
#include <stdio.h>

int vg_decoder_streams(vg_decoder *decoder, int lengths[], int most) {
    feat_t *features = ps_get_feat(vg_decoder_engine(decoder));
    int count = (int)feat_dimension1(features);
    for (int stream = 0; stream < count && stream < most; stream++)
        lengths[stream] = (int)feat_dimension2(features, stream);
    return count;
}

int vg_decoder_adapt(vg_decoder *decoder, const char *matrix, const char *means, const char *variances) {
    ps_decoder_t *engine = vg_decoder_engine(decoder);
    ps_mllr_t *transform = ps_mllr_read(matrix);
    if (!transform) return -1;
    // The library reads both files again, by the names that it keeps under these keys (ms_gauden.c,
    // gauden_mllr_transform), and transforms what it read.
    if (means) cmd_ln_set_str_extra_r(ps_get_config(engine), "_mean", means);
    if (variances) cmd_ln_set_str_extra_r(ps_get_config(engine), "_var", variances);
    // The decoder takes ownership of the transform (pocketsphinx.h, ps_update_mllr).
    return ps_update_mllr(engine, transform) ? 0 : -1;
}

int vg_decoder_write_cepstra(vg_decoder *decoder, const int16_t *samples, size_t count, const char *path) {
    // A separate front end, so that the decoder's keeps its state.
    fe_t *front_end = fe_init_auto_r(ps_get_config(vg_decoder_engine(decoder)));
    if (!front_end) {
        errno = EINVAL;
        return -1;
    }
    int32 frames = 0, first, rest = 0;
    int values = fe_get_output_size(front_end);
    const int16_t *next = samples;
    size_t left = count;
    fe_start_stream(front_end);
    fe_start_utt(front_end);
    // Without a buffer it returns the number of frames; the end may add one more.
    fe_process_frames(front_end, &next, &left, NULL, &frames, &first);
    mfcc_t **cepstra = ckd_calloc_2d((size_t)frames + 2, (size_t)values, sizeof **cepstra);
    fe_process_frames(front_end, &next, &left, cepstra, &frames, &first);
    fe_end_utt(front_end, cepstra[frames], &rest);
    frames += rest;
    fe_free(front_end);

    FILE *file = fopen(path, "wb");
    int32 total = frames * values;
    int failure = !file;
    if (file) {
        failure = fwrite(&total, sizeof total, 1, file) != 1 ||
                  fwrite(cepstra[0], sizeof **cepstra, (size_t)total, file) != (size_t)total;
        failure |= fclose(file) != 0;
    }
    ckd_free_2d(cepstra);
    return failure ? -1 : frames;
}

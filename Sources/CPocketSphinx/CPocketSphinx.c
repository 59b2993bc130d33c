#include "CPocketSphinx.h"

#include <pocketsphinx.h>
#include <sphinxbase/ckd_alloc.h>
#include <sphinxbase/cmn.h>
#include <sphinxbase/err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_coefficients = 64, frames_at_once = 64 };

// How many frames of speech the model's own cepstral mean counts for.
static const double prior_frames = 30;

struct vg_decoder {
    ps_decoder_t *engine;
    cmd_ln_t *configuration;
    // The cepstral mean of what was fed so far. The engine's own learns only at the end of an utterance. Errors of the
    // live text, with its mean and with ours: 75 and 47 of 200 words (twelve LJ Speech clips), 28 and 23 of 71 (five
    // LibriVox clips).
    fe_t *front_end;
    mfcc_t **cepstra;
    int coefficients;
    double sum[most_coefficients];
    double frames;
};

static vg_log_handler log_handler;

static void forward(void *context, err_lvl_t level, const char *format, ...) {
    (void)context;
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (log_handler) log_handler((int)level, line);
}

void vg_decoder_log(vg_log_handler handler) {
    log_handler = handler;
    // The configuration would be printed there, once for each decoder.
    err_set_logfp(NULL);
    err_set_callback(forward, NULL);
}

vg_decoder *vg_decoder_open(int count, char *const arguments[]) {
    vg_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    // The library keeps the array's strings by copy and does not write to it, though its type does not say so.
    decoder->configuration = cmd_ln_parse_r(NULL, ps_args(), count, (char **)arguments, TRUE);
    if (decoder->configuration) decoder->engine = ps_init(decoder->configuration);
    // The engine's configuration has the model's feature parameters in it, ours had not.
    if (decoder->engine) decoder->front_end = fe_init_auto_r(ps_get_config(decoder->engine));
    if (decoder->front_end) decoder->coefficients = fe_get_output_size(decoder->front_end);
    if (decoder->coefficients < 1 || decoder->coefficients > most_coefficients ||
        !ps_get_feat(decoder->engine)->cmn_struct ||
        ps_get_feat(decoder->engine)->cmn_struct->veclen != decoder->coefficients) {
        vg_decoder_close(decoder);
        return NULL;
    }
    decoder->cepstra = ckd_calloc_2d(frames_at_once, (size_t)decoder->coefficients, sizeof(mfcc_t));
    const mfcc_t *prior = ps_get_feat(decoder->engine)->cmn_struct->cmn_mean;
    for (int index = 0; index < decoder->coefficients; index++)
        decoder->sum[index] = prior_frames * MFCC2FLOAT(prior[index]);
    decoder->frames = prior_frames;
    return decoder;
}

void vg_decoder_close(vg_decoder *decoder) {
    if (!decoder) return;
    if (decoder->cepstra) ckd_free_2d(decoder->cepstra);
    if (decoder->front_end) fe_free(decoder->front_end);
    if (decoder->engine) ps_free(decoder->engine);
    if (decoder->configuration) cmd_ln_free_r(decoder->configuration);
    free(decoder);
}

static int begin(vg_decoder *decoder) {
    // Frame numbers count from here, and the noise estimate of the last utterance is dropped.
    if (ps_start_stream(decoder->engine) < 0) return -1;
    return ps_start_utt(decoder->engine);
}

static void learn_mean(vg_decoder *decoder, const int16_t *samples, size_t count) {
    while (count > 0) {
        const int16_t *before = samples;
        int32 frames = frames_at_once, first;
        if (fe_process_frames(decoder->front_end, &samples, &count, decoder->cepstra, &frames, &first) < 0) return;
        for (int frame = 0; frame < frames; frame++)
            for (int index = 0; index < decoder->coefficients; index++)
                decoder->sum[index] += MFCC2FLOAT(decoder->cepstra[frame][index]);
        decoder->frames += frames;
        if (frames == 0 && samples == before) break;
    }
    mfcc_t mean[most_coefficients];
    for (int index = 0; index < decoder->coefficients; index++)
        mean[index] = FLOAT2MFCC((float)(decoder->sum[index] / decoder->frames));
    cmn_live_set(ps_get_feat(decoder->engine)->cmn_struct, mean);
}

int vg_decoder_begin(vg_decoder *decoder) {
    fe_start_stream(decoder->front_end);
    fe_start_utt(decoder->front_end);
    return begin(decoder);
}

int vg_decoder_feed(vg_decoder *decoder, const int16_t *samples, size_t count) {
    learn_mean(decoder, samples, count);
    return ps_process_raw(decoder->engine, samples, count, FALSE, FALSE) < 0 ? -1 : 0;
}

int vg_decoder_end(vg_decoder *decoder) {
    int32 rest = 0;
    fe_end_utt(decoder->front_end, decoder->cepstra[0], &rest);
    return ps_end_utt(decoder->engine);
}

int vg_decoder_whole(vg_decoder *decoder, const int16_t *samples, size_t count) {
    if (begin(decoder) < 0) return -1;
    int result = ps_process_raw(decoder->engine, samples, count, FALSE, TRUE) < 0 ? -1 : 0;
    return ps_end_utt(decoder->engine) < 0 ? -1 : result;
}

const char *vg_decoder_text(vg_decoder *decoder) { return ps_get_hyp(decoder->engine, NULL); }

void vg_decoder_segments(vg_decoder *decoder, void *context, void (*handler)(void *context, const vg_segment *segment)) {
    logmath_t *math = ps_get_logmath(decoder->engine);
    for (ps_seg_t *entry = ps_seg_iter(decoder->engine); entry; entry = ps_seg_next(entry)) {
        vg_segment segment = {.word = ps_seg_word(entry)};
        ps_seg_frames(entry, &segment.first, &segment.last);
        segment.posterior = logmath_exp(math, ps_seg_prob(entry, NULL, NULL, NULL));
        handler(context, &segment);
    }
}

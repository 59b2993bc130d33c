#include "CPocketSphinx.h"
#include "engine.h"

#include <math.h>
#include <pocketsphinx.h>
#include <sphinxbase/ckd_alloc.h>
#include <sphinxbase/cmn.h>
#include <sphinxbase/err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_coefficients = vg_most_coefficients, frames_at_once = 64 };

// Weights in frames of speech: of the model's own cepstral mean, of one that was learnt in earlier sessions, and at most of
// what this session has heard, so that the mean follows a microphone that is moved.
static const double prior_frames = 30, given_frames = 300, heard_frames = 6000;

struct vg_decoder {
    ps_decoder_t *engine;
    cmd_ln_t *configuration;
    // For the cepstral mean of what was fed so far; the engine updates its own only at the end of an utterance. Errors of
    // the live text, with its mean and with ours: 75 and 47 of 200 words (twelve LJ Speech clips), 28 and 23 of 71 (five
    // LibriVox clips).
    fe_t *front_end;
    mfcc_t **cepstra;
    int coefficients;
    // The initial mean, and what was heard since the decoder was opened.
    double given[most_coefficients];
    double given_count;
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
    // The library would print its configuration there for each decoder.
    err_set_logfp(NULL);
    err_set_callback(forward, NULL);
}

vg_decoder *vg_decoder_open(int count, char *const arguments[]) {
    vg_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    // The library copies the strings and does not write to the array, though the type is not const.
    decoder->configuration = cmd_ln_parse_r(NULL, ps_args(), count, (char **)arguments, TRUE);
    if (decoder->configuration) decoder->engine = ps_init(decoder->configuration);
    // The engine's configuration includes the model's feature parameters, ours does not.
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
    for (int index = 0; index < decoder->coefficients; index++) decoder->given[index] = MFCC2FLOAT(prior[index]);
    decoder->given_count = prior_frames;
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
    // Resets the frame numbers and the noise estimate of the last utterance.
    if (ps_start_stream(decoder->engine) < 0) return -1;
    return ps_start_utt(decoder->engine);
}

int vg_decoder_set_mean(vg_decoder *decoder, const float values[], int count, double frames) {
    if (count != decoder->coefficients) return -1;
    for (int index = 0; index < count; index++) decoder->given[index] = values[index];
    decoder->given_count = frames < given_frames ? frames : given_frames;
    return 0;
}

int vg_decoder_mean(vg_decoder *decoder, float values[vg_most_coefficients], double *frames) {
    *frames = decoder->frames;
    for (int index = 0; index < decoder->coefficients; index++)
        values[index] = decoder->frames > 0 ? (float)(decoder->sum[index] / decoder->frames) : 0;
    return decoder->coefficients;
}

static void use_mean(vg_decoder *decoder) {
    mfcc_t mean[most_coefficients];
    double frames = decoder->frames + decoder->given_count;
    for (int index = 0; index < decoder->coefficients; index++)
        mean[index] = FLOAT2MFCC(
            (float)((decoder->sum[index] + decoder->given[index] * decoder->given_count) / frames));
    cmn_live_set(ps_get_feat(decoder->engine)->cmn_struct, mean);
}

static int decode(vg_decoder *decoder, const mfcc_t *cepstrum) {
    // The library subtracts the mean in place, and its own mean moves with what it is given.
    mfcc_t copy[most_coefficients];
    mfcc_t *pointer = copy;
    memcpy(copy, cepstrum, (size_t)decoder->coefficients * sizeof(mfcc_t));
    use_mean(decoder);
    return ps_process_cep(decoder->engine, &pointer, 1, FALSE, FALSE) < 0 ? -1 : 0;
}

static void learn(vg_decoder *decoder, const mfcc_t *cepstrum) {
    // Less than the faintest noise of 16 bits, as of digital zeros: the library's mean of a whole utterance omits it, too (cmn.c).
    // Errors after 0.5 s of zeros with and without it: 42 and 27 of 92 words, as without zeros (pocketsphinx-testdata).
    if (MFCC2FLOAT(cepstrum[0]) < 0) return;
    if (decoder->frames >= heard_frames) {
        for (int index = 0; index < decoder->coefficients; index++) decoder->sum[index] /= 2;
        decoder->frames /= 2;
    }
    for (int index = 0; index < decoder->coefficients; index++) decoder->sum[index] += MFCC2FLOAT(cepstrum[index]);
    decoder->frames++;
}

int vg_decoder_begin(vg_decoder *decoder) {
    fe_start_stream(decoder->front_end);
    fe_start_utt(decoder->front_end);
    return begin(decoder);
}

// Frame by frame, so that the words do not depend on how the audio was cut on its way here.
static int take(vg_decoder *decoder, int frames) {
    for (int frame = 0; frame < frames; frame++) {
        learn(decoder, decoder->cepstra[frame]);
        if (decode(decoder, decoder->cepstra[frame]) < 0) return -1;
    }
    return 0;
}

int vg_decoder_feed(vg_decoder *decoder, const int16_t *samples, size_t count) {
    while (count > 0) {
        const int16_t *before = samples;
        int32 frames = frames_at_once, first;
        if (fe_process_frames(decoder->front_end, &samples, &count, decoder->cepstra, &frames, &first) < 0) return -1;
        if (take(decoder, frames) < 0) return -1;
        if (frames == 0 && samples == before) break;
    }
    return 0;
}

int vg_decoder_end(vg_decoder *decoder) {
    int32 rest = 0;
    fe_end_utt(decoder->front_end, decoder->cepstra[0], &rest);
    int result = take(decoder, rest > 0 ? 1 : 0);
    return ps_end_utt(decoder->engine) < 0 ? -1 : result;
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

int vg_decoder_expect_anything(vg_decoder *decoder) { return ps_set_search(decoder->engine, vg_default_search); }

int vg_decoder_fit(vg_decoder *decoder, double *fit) {
    // Acoustic scores are the library's logarithms shifted right by this (hmm.h, SENSCR_SHIFT).
    enum { score_shift = 10 };
    double sum = 0;
    int frames = 0;
    for (ps_seg_t *entry = ps_seg_iter(decoder->engine); entry; entry = ps_seg_next(entry)) {
        int32 acoustic, language, backoff;
        int first, last;
        ps_seg_prob(entry, &acoustic, &language, &backoff);
        ps_seg_frames(entry, &first, &last);
        sum += acoustic;
        frames = last + 1;
    }
    if (frames == 0) return -1;
    *fit = sum * (1 << score_shift) * log(logmath_get_base(ps_get_logmath(decoder->engine))) / frames;
    return 0;
}

ps_decoder_t *vg_decoder_engine(vg_decoder *decoder) { return decoder->engine; }

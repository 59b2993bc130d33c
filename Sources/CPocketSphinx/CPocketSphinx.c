#include "CPocketSphinx.h"
#include "engine.h"

#include <math.h>
#include <pocketsphinx.h>
#include <sphinxbase/ckd_alloc.h>
#include <sphinxbase/cmn.h>
#include <sphinxbase/err.h>
#include <sphinxbase/fsg_model.h>
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

int vg_decoder_knows(vg_decoder *decoder, const char *word) {
    char *phones = ps_lookup_word(decoder->engine, word);
    ckd_free(phones);
    return phones != NULL;
}

// The graph is built word by word: the library's parser of grammars prints to standard output and has ended processes.
int vg_decoder_expect(vg_decoder *decoder, int phrases, const int lengths[], const char *const words[]) {
    enum { start, end, first_inner };
    static const float weight = 6;
    int states = first_inner;
    for (int phrase = 0; phrase < phrases; phrase++) states += lengths[phrase] - 1;
    logmath_t *math = ps_get_logmath(decoder->engine);
    fsg_model_t *graph = fsg_model_init("phrases", math, weight, states);
    if (!graph) return -1;
    graph->start_state = start;
    graph->final_state = end;
    int next = first_inner, word = 0;
    for (int phrase = 0; phrase < phrases; phrase++) {
        int from = start;
        for (int index = 0; index < lengths[phrase]; index++, word++) {
            int to = index == lengths[phrase] - 1 ? end : next++;
            int32 probability = index == 0 ? (int32)(logmath_log(math, 1.0 / phrases) * weight) : 0;
            fsg_model_trans_add(graph, from, to, probability, fsg_model_word_add(graph, words[word]));
            from = to;
        }
    }
    // The search holds the graph from here on.
    int result = ps_set_fsg(decoder->engine, "phrases", graph);
    fsg_model_free(graph);
    return result < 0 ? -1 : ps_set_search(decoder->engine, "phrases");
}

// The name that ps_init gives to the search of its configuration (pocketsphinx_internal.h, PS_DEFAULT_SEARCH).
int vg_decoder_expect_anything(vg_decoder *decoder) { return ps_set_search(decoder->engine, "_default"); }

int vg_decoder_fit(vg_decoder *decoder, double *fit) {
    // Acoustic scores come in the library's logarithms shifted by this (hmm.h, SENSCR_SHIFT).
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
